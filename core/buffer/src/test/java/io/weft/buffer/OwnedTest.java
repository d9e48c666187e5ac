package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// The number of owners, counted by the thread that the buffer is biased to (this one) and by
/// others.
@ParameterizedClass(name = "confined: {0}")
@ValueSource(booleans = {false, true})
class OwnedTest {
    private int reclaimed;
    private final Bias bias = new Bias();
    private final boolean confined;
    private final Block block;

    OwnedTest(boolean confined) {
        this.confined = confined;
        block = new Block(0, 8, _ -> reclaimed++, 0, confined);
    }

    @BeforeEach
    void countHere() {
        bias.enter();
        block.bias = bias;
    }

    @AfterEach
    void everythingCameHomeOnce() {
        if (bias.isHere()) {
            bias.leave();
        }
        assertThat(reclaimed).isEqualTo(1);
    }

    private Buffer open() {
        return new Buffer(block, 0, 8, 8);
    }

    private static <T> T elsewhere(Callable<T> use) throws Exception {
        FutureTask<T> task = new FutureTask<>(use);
        Thread.ofPlatform().start(task);
        return task.get();
    }

    @Test
    void handedOverIsFreedByTheOther() throws Exception {
        Buffer b = open();
        assertThat(elsewhere(b::release)).isTrue();
        assertThat(b.references()).isZero();
        assertThatThrownBy(b::release).isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void confinedMemoryWaitsForItsThread() throws Exception {
        Buffer b = open();
        elsewhere(b::release);
        assertThat(reclaimed).isEqualTo(confined ? 0 : 1);
        bias.settle();
        assertThat(reclaimed).isEqualTo(1);
    }

    @Test
    void aPartCutOffElsewhereKeepsTheMemory() throws Exception {
        Buffer b = open().retain();
        Buffer part = elsewhere(() -> b.slice(0, 4));
        assertThat(block.isExclusive()).isFalse();
        assertThat(b.release()).isFalse();
        assertThat(elsewhere(b::release)).isTrue();
        bias.settle();
        assertThat(reclaimed).isZero();
        assertThat(block.isExclusive()).isTrue();
        assertThat(elsewhere(part::release)).isTrue();
    }

    @Test
    void aPartIsCutOffAndReleasedHere() {
        Buffer b = open();
        assertThat(b.slice(0, 4).release()).isTrue();
        assertThat(b.references()).isEqualTo(1);
        assertThat(reclaimed).isZero();
        assertThat(b.release()).isTrue();
        assertThat(reclaimed).isEqualTo(1);
    }

    @Test
    void aReleaseByMistakeAtTheSameMomentSendsNothingHomeTwice() throws Exception {
        Buffer b = open();
        elsewhere(b::release);
        if (confined) {
            // As if this thread had ended it without having seen that.
            b.local = 0;
            block.drop();
        }
        bias.settle();
        assertThat(reclaimed).isEqualTo(1);
    }

    @Test
    void sharedWithAnotherIsFreedByWhoeverIsLast() throws Exception {
        Buffer b = open().retain();
        assertThat(elsewhere(b::release)).isFalse();
        assertThat(b.references()).isEqualTo(1);
        assertThat(b.release()).isTrue();
    }

    @Test
    void sharedWithAnotherIsFreedByTheOtherWhenThatIsLast() throws Exception {
        Buffer b = open().retain();
        assertThat(b.release()).isFalse();
        assertThat(elsewhere(b::release)).isTrue();
    }

    @Test
    void ownersOnBothSidesAddUp() throws Exception {
        Buffer b = open();
        elsewhere(() -> b.retain().retain());
        assertThat(b.references()).isEqualTo(3);
        assertThat(b.release()).isFalse();
        b.retain();
        assertThat(b.references()).isEqualTo(3);
        assertThat(elsewhere(b::release)).isFalse();
        assertThat(b.release()).isFalse();
        assertThat(elsewhere(b::release)).isTrue();
    }

    @Test
    void whatOthersReleaseIsSettledByTheThreadOfTheBias() throws Exception {
        Buffer b = open().retain();
        elsewhere(b::release);
        // As if the other's release had not been seen here: neither side knows that it was the
        // last.
        b.local--;
        assertThat(reclaimed).isZero();
        bias.settle();
        assertThat(reclaimed).isEqualTo(1);
    }

    @Test
    void whatOthersReleaseIsSettledByThemWhenTheThreadHasLeft() throws Exception {
        Buffer b = open().retain().retain();
        bias.leave();
        elsewhere(b::release);
        assertThat(b.local).isZero();
        elsewhere(b::release);
        assertThat(elsewhere(b::release)).isTrue();
    }

    @Test
    void anotherThreadMayBecomeTheOneThatCounts() throws Exception {
        Buffer b = open().retain();
        bias.leave();
        elsewhere(
                () -> {
                    bias.enter();
                    b.retain();
                    assertThat(b.local).isEqualTo(3);
                    b.release();
                    b.release();
                    bias.leave();
                    return null;
                });
        assertThat(b.release()).isTrue();
    }

    @Test
    void anotherThreadCannotReleaseMoreThanThereIs() throws Exception {
        Buffer b = open().retain();
        elsewhere(b::release);
        elsewhere(b::release);
        assertThatThrownBy(() -> elsewhere(b::release))
                .hasCauseInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> elsewhere(b::retain))
                .hasCauseInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(b::retain).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(b.references()).isZero();
    }

    @Test
    void countsWithoutBiasAreAtomic() {
        bias.leave();
        Buffer b = open();
        assertThat(b.local).isZero();
        assertThat(b.retain().release()).isFalse();
        assertThat(b.release()).isTrue();
        assertThatThrownBy(b::release).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(b::retain).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(b.references()).isZero();
    }

    @Test
    void tooManyOwnersAreRefusedOnEitherSide() throws Exception {
        Buffer b = open();
        b.local = Owned.LIMIT;
        assertThatThrownBy(b::retain)
                .isInstanceOf(IllegalReferenceCountException.class)
                .hasMessage("references: 536870912 (expected: at least 1 and below 536870912)");
        b.state += Owned.LIMIT;
        assertThatThrownBy(() -> elsewhere(b::retain))
                .hasCauseInstanceOf(IllegalReferenceCountException.class);
        b.state -= Owned.LIMIT;
        b.local = 2;
        assertThat(b.release()).isFalse();
        assertThat(b.release()).isTrue();
    }

    @Test
    void partsCountTheirOwnersThemselves() throws Exception {
        Buffer b = open();
        Buffer slice = b.slice(2, 4);
        Buffer foreign = elsewhere(() -> b.slice(0, 1));
        assertThat(slice.local).isEqualTo(1);
        assertThat(foreign.local).isZero();
        assertThat(b.release()).isTrue();
        assertThat(foreign.release()).isTrue();
        assertThat(reclaimed).isZero();
        assertThat(slice.release()).isTrue();
    }
}
