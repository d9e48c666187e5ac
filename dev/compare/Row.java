import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One figure of both builds, measured once a round.
final class Row {
    /// Slower in every round, and in the median by more than this, is worse: the measuring error of
    /// a ratio that is 1.
    private static final double ERROR = 0.02;

    final String name;
    final String unit;
    private final boolean higherIsBetter;
    private final Map<Integer, double[]> scores = new TreeMap<>();
    private final Map<Integer, double[]> bytes = new TreeMap<>();

    Row(String name, String unit, boolean higherIsBetter) {
        this.name = name;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /// @param side 0 before, 1 after
    /// @param allocated bytes an operation, or NaN where that is not known
    void add(int round, int side, double score, double allocated) {
        scores.computeIfAbsent(round, _ -> new double[] {Double.NaN, Double.NaN})[side] = score;
        bytes.computeIfAbsent(round, _ -> new double[] {Double.NaN, Double.NaN})[side] = allocated;
    }

    double score(int side) {
        return median(values(scores, side));
    }

    double bytes(int side) {
        return median(values(bytes, side));
    }

    /// By how much after is better than before, in each round that has both, sorted.
    double[] ratios() {
        return scores.values().stream()
                .filter(both -> !Double.isNaN(both[0]) && !Double.isNaN(both[1]))
                .mapToDouble(both -> higherIsBetter ? both[1] / both[0] : both[0] / both[1])
                .map(ratio -> Double.isNaN(ratio) ? 1 : ratio) // nothing before, nothing after
                .sorted()
                .toArray();
    }

    double ratio() {
        return median(ratios());
    }

    /// Slower in every round, and in the median by more than the measuring error.
    boolean isWorse() {
        double[] ratios = ratios();
        return ratios.length > 0 && ratio() < 1 - ERROR && ratios[ratios.length - 1] < 1;
    }

    /// More bytes than the error of counting them.
    boolean allocatesMore() {
        return bytes(1) > bytes(0) * (1 + ERROR) + 1;
    }

    private static double[] values(Map<Integer, double[]> rounds, int side) {
        List<Double> known = new ArrayList<>();
        rounds.values().forEach(both -> known.add(both[side]));
        return known.stream().filter(v -> !v.isNaN()).mapToDouble(v -> v).sorted().toArray();
    }

    static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
