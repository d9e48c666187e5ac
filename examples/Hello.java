import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;

void main() {
    HttpServer.listen(8080, request -> Response.text("hello"));
}
