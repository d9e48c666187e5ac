package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// The text between the parts of a multipart body.
final class Boundary {
    /// RFC 2046, 5.1.1.
    private static final int MAX_LENGTH = 70;

    private Boundary() {}

    /// Returns the delimiter before each part, `CR LF -- boundary`, that a Content-Type announces.
    ///
    /// @throws FormException when there is no boundary, or a malformed one
    static byte[] of(String contentType) {
        String boundary =
                HeaderParameters.parse("content-type", contentType).parameters().get("boundary");
        if (boundary == null) {
            throw new FormException("content-type: no boundary (expected: one)");
        }
        boolean fits = !boundary.isEmpty() && boundary.length() <= MAX_LENGTH;
        if (!fits || boundary.endsWith(" ") || !boundary.chars().allMatch(Boundary::isPart)) {
            throw new FormException(
                    "boundary: "
                            + FileNames.quote(boundary)
                            + " (expected: 1 to 70 of A-Z a-z 0-9 '()+_,-./:=? and inner blanks)");
        }
        return ("\r\n--" + boundary).getBytes(US_ASCII);
    }

    /// RFC 2046, 5.1.1: `bchars`.
    private static boolean isPart(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || "'()+_,-./:=? ".indexOf(c) >= 0;
    }
}
