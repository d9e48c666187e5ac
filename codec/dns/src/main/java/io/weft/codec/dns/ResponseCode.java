package io.weft.codec.dns;

/// The outcome of a query. Headers have 4 bits of it, an OPT record 8 more, TSIG and TKEY all 16.
public record ResponseCode(int number) {
    private static final String[] NAMES = {
        "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED", "YXDOMAIN", "YXRRSET",
        "NXRRSET", "NOTAUTH", "NOTZONE", "DSOTYPENI", "RCODE12", "RCODE13", "RCODE14", "RCODE15",
        "BADVERS", "BADKEY", "BADTIME", "BADMODE", "BADNAME", "BADALG", "BADTRUNC", "BADCOOKIE"
    };
    private static final ResponseCode[] CACHE = new ResponseCode[NAMES.length];

    static {
        for (int i = 0; i < CACHE.length; i++) {
            CACHE[i] = new ResponseCode(i);
        }
    }

    public static final ResponseCode NOERROR = of(0);
    public static final ResponseCode FORMERR = of(1);
    public static final ResponseCode SERVFAIL = of(2);
    public static final ResponseCode NXDOMAIN = of(3);
    public static final ResponseCode NOTIMP = of(4);
    public static final ResponseCode REFUSED = of(5);
    public static final ResponseCode YXDOMAIN = of(6);
    public static final ResponseCode YXRRSET = of(7);
    public static final ResponseCode NXRRSET = of(8);
    public static final ResponseCode NOTAUTH = of(9);
    public static final ResponseCode NOTZONE = of(10);
    public static final ResponseCode DSOTYPENI = of(11);

    /// Of a message: EDNS of another version.
    public static final ResponseCode BADVERS = of(16);

    /// Of TSIG, where it has the number of [#BADVERS].
    public static final ResponseCode BADSIG = of(16);

    public static final ResponseCode BADKEY = of(17);
    public static final ResponseCode BADTIME = of(18);
    public static final ResponseCode BADMODE = of(19);
    public static final ResponseCode BADNAME = of(20);
    public static final ResponseCode BADALG = of(21);
    public static final ResponseCode BADTRUNC = of(22);
    public static final ResponseCode BADCOOKIE = of(23);

    /// @throws IllegalArgumentException unless 0 to 65535
    public ResponseCode {
        if (number < 0 || number > 0xFFFF) {
            throw new IllegalArgumentException(
                    "response code: " + number + " (expected: 0 to 65535)");
        }
    }

    /// @throws IllegalArgumentException unless 0 to 65535
    public static ResponseCode of(int number) {
        return number >= 0 && number < CACHE.length ? CACHE[number] : new ResponseCode(number);
    }

    /// The mnemonic, or `RCODE` and the number.
    @Override
    public String toString() {
        return number < NAMES.length ? NAMES[number] : "RCODE" + number;
    }
}
