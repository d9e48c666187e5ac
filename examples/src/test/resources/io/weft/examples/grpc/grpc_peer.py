"""The interoperability tests of gRPC with Python's grpcio.

    grpc_peer.py client PORT [CA]   runs the cases and prints a line for each
    grpc_peer.py server             prints its port, and serves until its input ends
"""

import sys
import threading
import time
from concurrent import futures

import grpc

SERVICE = "/grpc.testing.TestService/"
GZIP = grpc.Compression.Gzip


# ---- Protocol Buffers, as far as they are needed ----

def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, n):
    return varint(field << 3) + varint(n)


def piece(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def fields(data):
    """All fields of a message, each name with the list of its values."""
    found, at = {}, 0

    def read():
        nonlocal at
        n = shift = 0
        while True:
            b = data[at]
            at += 1
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n

    while at < len(data):
        tag = read()
        if tag & 7 == 0:
            value = read()
        elif tag & 7 == 2:
            length = read()
            value = data[at:at + length]
            at += length
        else:
            raise ValueError("wire type %d" % (tag & 7))
        found.setdefault(tag >> 3, []).append(value)
    return found


def first(data, field, default):
    return fields(data).get(field, [default])[0]


def payload(size):
    return piece(2, bytes(size))


def size_of(message, field=1):
    return len(first(first(message, field, b""), 2, b""))


def flag(value):
    return number(1, 1) if value else b""


# ---- the client ----

REQUESTS, RESPONSES = (27182, 8, 1828, 45904), (31415, 9, 2653, 58979)


def wanted(*sizes):
    return b"".join(piece(2, number(1, size)) for size in sizes)


def simple(response=314159, request=271828):
    return number(2, response) + piece(3, payload(request))


def expect(what, actual, expected):
    if actual != expected:
        raise AssertionError("%s: %r (expected: %r)" % (what, actual, expected))


def failure(call):
    try:
        call()
    except grpc.RpcError as e:
        return e.code(), e.details()
    return grpc.StatusCode.OK, ""


class Client:
    def __init__(self, channel):
        self.unary = channel.unary_unary(SERVICE + "UnaryCall")
        self.empty = channel.unary_unary(SERVICE + "EmptyCall")
        self.input = channel.stream_unary(SERVICE + "StreamingInputCall")
        self.output = channel.unary_stream(SERVICE + "StreamingOutputCall")
        self.duplex = channel.stream_stream(SERVICE + "FullDuplexCall")
        self.missing = channel.unary_unary(SERVICE + "UnimplementedCall")
        self.nowhere = channel.unary_unary("/grpc.testing.UnimplementedService/UnimplementedCall")

    def empty_unary(self):
        expect("response", self.empty(b"", timeout=60), b"")

    def large_unary(self):
        expect("payload", size_of(self.unary(simple(), timeout=60)), 314159)

    def client_compressed_unary(self):
        on, off = simple() + piece(8, flag(True)), simple() + piece(8, flag(False))
        expect("probe", failure(lambda: self.unary(on))[0], grpc.StatusCode.INVALID_ARGUMENT)
        expect("on", size_of(self.unary(on, compression=GZIP, timeout=60)), 314159)
        expect("off", size_of(self.unary(off, timeout=60)), 314159)

    def server_compressed_unary(self):
        for value in (True, False):
            answer = self.unary(simple() + piece(6, flag(value)), timeout=60)
            expect("payload", size_of(answer), 314159)

    def client_streaming(self):
        sum_of = self.input((piece(1, payload(n)) for n in REQUESTS), timeout=60)
        expect("sum", first(sum_of, 1, 0), 74922)

    def client_compressed_streaming(self):
        on = piece(1, payload(27182)) + piece(2, flag(True))
        expect("probe", failure(lambda: self.input(iter([on])))[0],
               grpc.StatusCode.INVALID_ARGUMENT)
        expect("sum", first(self.input(iter([on]), compression=GZIP, timeout=60), 1, 0), 27182)

    def server_streaming(self):
        answers = self.output(wanted(*RESPONSES), timeout=60)
        expect("sizes", [size_of(a) for a in answers], list(RESPONSES))

    def server_compressed_streaming(self):
        request = piece(2, number(1, 31415) + piece(3, flag(True)))
        request += piece(2, number(1, 92653) + piece(3, flag(False)))
        expect("sizes", [size_of(a) for a in self.output(request, timeout=60)], [31415, 92653])

    def ping_pong(self):
        go = threading.Semaphore(1)

        def requests():
            for request, response in zip(REQUESTS, RESPONSES):
                go.acquire()
                yield wanted(response) + piece(3, payload(request))

        sizes = []
        for answer in self.duplex(requests(), timeout=60):
            sizes.append(size_of(answer))
            go.release()
        expect("sizes", sizes, list(RESPONSES))

    def empty_stream(self):
        expect("answers", list(self.duplex(iter(()), timeout=60)), [])

    def custom_metadata(self):
        metadata = (("x-grpc-test-echo-initial", "test_initial_metadata_value"),
                    ("x-grpc-test-echo-trailing-bin", b"\xab\xab\xab"))
        request = wanted(314159) + piece(3, payload(271828))
        _, unary = self.unary.with_call(simple(), metadata=metadata, timeout=60)
        duplex = self.duplex(iter([request]), metadata=metadata, timeout=60)
        expect("sizes", [size_of(a) for a in duplex], [314159])
        for call in (unary, duplex):
            expect("initial", metadata[0] in tuple(map(tuple, call.initial_metadata())), True)
            expect("trailing", metadata[1] in tuple(map(tuple, call.trailing_metadata())), True)

    def status(self, text):
        status = piece(7, number(1, 2) + piece(2, text.encode()))
        expected = (grpc.StatusCode.UNKNOWN, text)
        expect("unary", failure(lambda: self.unary(status, timeout=60)), expected)
        expect("duplex", failure(lambda: list(self.duplex(iter([status]), timeout=60))), expected)

    def status_code_and_message(self):
        self.status("test status message")

    def special_status_message(self):
        self.status("\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n")

    def unimplemented_method(self):
        expect("code", failure(lambda: self.missing(b"", timeout=60))[0],
               grpc.StatusCode.UNIMPLEMENTED)

    def unimplemented_service(self):
        expect("code", failure(lambda: self.nowhere(b"", timeout=60))[0],
               grpc.StatusCode.UNIMPLEMENTED)

    def cancel_after_begin(self):
        done = threading.Event()

        def requests():
            done.wait(60)
            yield from ()

        call = self.input.future(requests())
        call.cancel()
        done.set()
        expect("code", call.code(), grpc.StatusCode.CANCELLED)

    def cancel_after_first_response(self):
        done = threading.Event()

        def requests():
            yield wanted(31415) + piece(3, payload(27182))
            done.wait(60)

        call = self.duplex(requests())
        expect("size", size_of(next(call)), 31415)
        call.cancel()
        code = failure(lambda: next(call))[0]
        done.set()
        expect("code", code, grpc.StatusCode.CANCELLED)

    def timeout_on_sleeping_server(self):
        done = threading.Event()

        def requests():
            yield piece(3, payload(27182))
            done.wait(60)

        code = failure(lambda: list(self.duplex(requests(), timeout=0.001)))[0]
        done.set()
        expect("code", code, grpc.StatusCode.DEADLINE_EXCEEDED)


CASES = """empty_unary large_unary client_compressed_unary server_compressed_unary client_streaming
client_compressed_streaming server_streaming server_compressed_streaming ping_pong empty_stream
custom_metadata status_code_and_message special_status_message unimplemented_method
unimplemented_service cancel_after_begin cancel_after_first_response
timeout_on_sleeping_server""".split()


def client(port, ca=None):
    if ca is None:
        channel = grpc.insecure_channel("127.0.0.1:%s" % port)
    else:
        with open(ca, "rb") as file:
            credentials = grpc.ssl_channel_credentials(file.read())
        channel = grpc.secure_channel("localhost:%s" % port, credentials)
    with channel:
        run = Client(channel)
        for case in CASES:
            try:
                getattr(run, case)()
                print(case + ": passed", flush=True)
            except Exception as e:  # the line says which
                print("%s: failed: %r" % (case, e), flush=True)


# ---- the server ----

def echo(context):
    for key, value in context.invocation_metadata():
        if key == "x-grpc-test-echo-initial":
            context.send_initial_metadata(((key, value),))
        if key == "x-grpc-test-echo-trailing-bin":
            context.set_trailing_metadata(((key, value),))


def check_status(message, context):
    status = fields(first(message, 7, b""))
    code = status.get(1, [0])[0]
    if code:
        codes = {c.value[0]: c for c in grpc.StatusCode}
        context.abort(codes[code], status.get(2, [b""])[0].decode())


def unary_call(request, context):
    echo(context)
    check_status(request, context)
    if first(first(request, 6, b""), 1, 0):
        context.set_compression(GZIP)
    return piece(1, payload(first(request, 2, 0)))


def input_call(requests, context):
    echo(context)
    return number(1, sum(size_of(request) for request in requests))


def answers(request, context):
    check_status(request, context)
    for one in fields(request).get(2, ()):
        time.sleep(first(one, 2, 0) / 1e6)
        if not first(first(one, 3, b""), 1, 0):
            context.disable_next_message_compression()
        yield piece(1, payload(first(one, 1, 0)))


def output_call(request, context):
    context.set_compression(GZIP)
    echo(context)
    yield from answers(request, context)


def duplex_call(requests, context):
    echo(context)
    for request in requests:
        yield from answers(request, context)


def server():
    methods = {
        "EmptyCall": grpc.unary_unary_rpc_method_handler(lambda request, context: request),
        "UnaryCall": grpc.unary_unary_rpc_method_handler(unary_call),
        "StreamingInputCall": grpc.stream_unary_rpc_method_handler(input_call),
        "StreamingOutputCall": grpc.unary_stream_rpc_method_handler(output_call),
        "FullDuplexCall": grpc.stream_stream_rpc_method_handler(duplex_call),
    }
    serving = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    serving.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("grpc.testing.TestService", methods),))
    print(serving.add_insecure_port("127.0.0.1:0"), flush=True)
    serving.start()
    sys.stdin.read()
    serving.stop(0)


if __name__ == "__main__":
    client(*sys.argv[2:]) if sys.argv[1] == "client" else server()
