/// Added by dev/consume.sh for the module path.
module com.example.consumer {
    requires io.weft.channel;
    requires io.weft.http.server;
}
