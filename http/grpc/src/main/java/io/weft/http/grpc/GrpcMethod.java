package io.weft.http.grpc;

/// One method of a service.
///
/// @param path `/package.Service/Method`
/// @param request messages of the caller
/// @param response messages of the service
public record GrpcMethod<Q, R>(String path, Marshaller<Q> request, Marshaller<R> response) {
    /// @throws IllegalArgumentException when the path is none of a method
    public GrpcMethod {
        int slash = path.lastIndexOf('/');
        if (!path.startsWith("/")
                || slash < 2
                || slash == path.length() - 1
                || !path.chars().allMatch(GrpcMethod::isPathChar)) {
            throw new IllegalArgumentException(
                    "path: " + path + " (expected: /package.Service/Method)");
        }
    }

    private static boolean isPathChar(int c) {
        return c > ' ' && c <= '~' && c != '?' && c != '#' && c != '%';
    }

    @Override
    public String toString() {
        return path;
    }
}
