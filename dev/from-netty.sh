#!/bin/sh
# Renames what Netty and Weft have in common in Java sources, in place:  dev/from-netty.sh DIRECTORY
# Then lists each import of Netty that is left, with the place in Weft to look for, and each line that says something in Netty's
# way. What it changes may still not compile: it knows names, not types. Commit before you run it.
# docs/guide/coming-from-netty.md says what differs.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
  '' | -*) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
[ -d "$1" ] || { echo "from-netty.sh: $1: no directory (expected: one with Java sources)" >&2; exit 2; }

# Types of one meaning: name in Netty, name in Weft.
same='io.netty.bootstrap.Bootstrap io.weft.channel.Bootstrap
io.netty.bootstrap.ServerBootstrap io.weft.channel.ServerBootstrap
io.netty.buffer.ByteBuf io.weft.buffer.Buffer
io.netty.buffer.ByteBufAllocator io.weft.buffer.BufferAllocator
io.netty.buffer.ByteBufInputStream io.weft.buffer.BufferInputStream
io.netty.buffer.ByteBufOutputStream io.weft.buffer.BufferOutputStream
io.netty.buffer.CompositeByteBuf io.weft.buffer.CompositeBuffer
io.netty.channel.Channel io.weft.channel.Channel
io.netty.channel.ChannelHandler io.weft.channel.ChannelHandler
io.netty.channel.ChannelHandlerContext io.weft.channel.ChannelHandlerContext
io.netty.channel.ChannelOption io.weft.engine.ChannelOption
io.netty.channel.ChannelPipeline io.weft.channel.ChannelPipeline
io.netty.channel.EventLoop io.weft.eventloop.EventLoop
io.netty.channel.EventLoopGroup io.weft.eventloop.EventLoopGroup
io.netty.channel.embedded.EmbeddedChannel io.weft.channel.EmbeddedChannel
io.netty.channel.group.ChannelGroup io.weft.channel.ChannelGroup
io.netty.handler.codec.CorruptedFrameException io.weft.codec.CorruptedFrameException
io.netty.handler.codec.DelimiterBasedFrameDecoder io.weft.codec.framing.DelimiterDecoder
io.netty.handler.codec.FixedLengthFrameDecoder io.weft.codec.framing.FixedLengthDecoder
io.netty.handler.codec.LengthFieldBasedFrameDecoder io.weft.codec.framing.LengthFieldDecoder
io.netty.handler.codec.LengthFieldPrepender io.weft.codec.framing.LengthFieldPrepender
io.netty.handler.codec.LineBasedFrameDecoder io.weft.codec.framing.LineDecoder
io.netty.handler.codec.string.LineEncoder io.weft.codec.framing.LineEncoder
io.netty.handler.codec.string.StringDecoder io.weft.codec.text.StringDecoder
io.netty.handler.codec.string.StringEncoder io.weft.codec.text.StringEncoder
io.netty.handler.flow.FlowControlHandler io.weft.handler.flow.FlowControlHandler
io.netty.handler.flush.FlushConsolidationHandler io.weft.handler.flow.FlushConsolidationHandler
io.netty.handler.logging.LoggingHandler io.weft.handler.logging.LoggingHandler
io.netty.handler.ssl.SniHandler io.weft.handler.tls.SniHandler
io.netty.handler.stream.ChunkedWriteHandler io.weft.handler.flow.ChunkedWriteHandler
io.netty.handler.timeout.IdleStateHandler io.weft.handler.timeout.IdleStateHandler
io.netty.handler.timeout.ReadTimeoutException io.weft.handler.timeout.ReadTimeoutException
io.netty.handler.timeout.ReadTimeoutHandler io.weft.handler.timeout.ReadTimeoutHandler
io.netty.handler.timeout.WriteTimeoutException io.weft.handler.timeout.WriteTimeoutException
io.netty.handler.timeout.WriteTimeoutHandler io.weft.handler.timeout.WriteTimeoutHandler
io.netty.util.AttributeKey io.weft.channel.AttributeKey
io.netty.util.CharsetUtil java.nio.charset.StandardCharsets
io.netty.util.AsciiString io.weft.buffer.AsciiString
io.netty.util.concurrent.EventExecutor io.weft.loop.EventExecutor
io.netty.util.concurrent.Future io.weft.loop.Future
io.netty.util.concurrent.Promise io.weft.loop.Promise'

# Where to look for the rest: the beginning of a name in Netty, and a hint.
rest='io.netty.bootstrap. io.weft.channel
io.netty.buffer.Unpooled io.weft.buffer.BufferAllocator.unpooled()
io.netty.buffer. io.weft.buffer
io.netty.channel.ChannelFuture io.weft.loop.Future: write takes a promise where one is needed
io.netty.channel.ChannelHandler.Sharable isSharable(), a method
io.netty.channel.ChannelInitializer a lambda: channel -> channel.pipeline().addLast(...)
io.netty.channel.MultiThreadIoEventLoopGroup EventLoopGroup.create()
io.netty.channel.SimpleChannelInboundHandler io.weft.channel.MessageHandler, an interface
io.netty.channel.epoll.EpollEventLoopGroup EventLoopGroup.create()
io.netty.channel.epoll. nothing: the engine is found
io.netty.channel.kqueue. nothing: the engine is found
io.netty.channel.nio.NioEventLoopGroup EventLoopGroup.create()
io.netty.channel.nio. nothing: the engine is found
io.netty.channel.socket. nothing: the address tells the kind of channel
io.netty.channel.uring. nothing: the engine is found
io.netty.channel. io.weft.channel, io.weft.eventloop
io.netty.handler.codec.ByteToMessageDecoder io.weft.codec.StepDecoder, in a DecoderHandler
io.netty.handler.codec.MessageToByteEncoder io.weft.codec.Encoder, in an EncoderHandler
io.netty.handler.codec.dns. io.weft.codec.dns
io.netty.handler.codec.haproxy. io.weft.handler.haproxy
io.netty.handler.codec.http.websocketx. io.weft.http.websocket
io.netty.handler.codec.http2. io.weft.http.server, io.weft.http.client
io.netty.handler.codec.http. io.weft.http.server, io.weft.http.client
io.netty.handler.codec.memcache. io.weft.codec.memcache
io.netty.handler.codec.mqtt. io.weft.codec.mqtt
io.netty.handler.codec.redis. io.weft.codec.redis
io.netty.handler.codec.smtp. io.weft.codec.smtp
io.netty.handler.codec.socksx. io.weft.codec.socks
io.netty.handler.codec.stomp. io.weft.codec.stomp
io.netty.handler.codec. io.weft.codec, io.weft.codec.framing
io.netty.handler.ipfilter. io.weft.handler.filter
io.netty.handler.logging.LogLevel System.Logger.Level
io.netty.handler.proxy. io.weft.handler.proxy.ProxyChain, by Bootstrap.tunnel
io.netty.handler.ssl. io.weft.handler.tls, io.weft.tls.machine, io.weft.tls.x509
io.netty.handler.timeout.IdleState io.weft.handler.timeout.IdleState
io.netty.handler.traffic. io.weft.handler.traffic
io.netty.resolver.dns. io.weft.resolver.dns
io.netty.resolver. io.weft.resolver.names
io.netty.util.ReferenceCountUtil release and retain of Buffer
io.netty.util.ResourceLeakDetector docs/guide/leaks.md
io.netty.util.concurrent. io.weft.loop
io.netty. docs/guide/coming-from-netty.md'

# What the same names do not make the same: an expression for a line, and a hint.
idioms='\.sync(Uninterruptibly)?\(\) join(), refused on a loop
\.shutdownGracefully\( close()
\.channel\([A-Za-z]+\.class\) nothing: the address tells the kind of channel
ootstrap\(\) new ServerBootstrap(group), new Bootstrap(group)
extends[[:space:]]SimpleChannelInboundHandler implements MessageHandler, with messageType()
channelRead0\( messageRead(
extends[[:space:]](ByteToMessageDecoder|ReplayingDecoder) extends StepDecoder<M>, in a DecoderHandler; it knows no channel
void[[:space:]]decode\( protected boolean step(in, out): false when bytes are missing, and out.accept(message)
\.(mark|reset)ReaderIndex\( readOffset(), kept in a variable, and readOffset(offset)
\.read(Retained)?Slice\( split(n), an owner of its own
\.attr\( attributes().get(key) and set(key, value)
AttributeKey\.(valueOf|newInstance)\( AttributeKey.of(name), which makes a new key each time: keep it in a constant
new[[:space:]]IdleStateHandler\( new IdleStateHandler(reader, writer, all) of Durations
\.alloc\(\) channel().allocator()
\.toString\((CharsetUtil|StandardCharsets)\. readString(charset)
@(ChannelHandler\.)?Sharable isSharable()
addLast\(new[[:space:]][A-Za-z]*(Decoder|Encoder|Prepender)\( in a DecoderHandler, EncoderHandler or CodecHandler
new[[:space:]]ChannelInitializer a lambda: channel -> channel.pipeline().addLast(...)
[fF]lush\(.*\)\.addListener\( a promise: writeAndFlush(message, promise)
ChannelFutureListener\.CLOSE flush(), then close(), which sends what was flushed before'

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT HUP INT TERM

# Handlers are interfaces with defaults in Weft.
cat >"$work/handlers.sed" <<'END'
s/\bextends Channel\(InboundHandlerAdapter\|OutboundHandlerAdapter\|DuplexHandler\) implements /implements ChannelHandler, /
s/\bextends Channel\(InboundHandlerAdapter\|OutboundHandlerAdapter\|DuplexHandler\)\b/implements ChannelHandler/
s/^import io\.netty\.channel\.Channel\(InboundHandlerAdapter\|OutboundHandlerAdapter\|DuplexHandler\);/import io.weft.channel.ChannelHandler;/
END

# renames FILE: a script for the imports that it has
renames() {
  printf '%s\n' "$same" | while read -r from to; do
    grep -q "^import $from;" "$1" || continue
    printf 's/^import %s;/import %s;/\n' "$(printf '%s' "$from" | sed 's/\./\\./g')" "$to"
    old="${from##*.}" new="${to##*.}"
    [ "$old" = "$new" ] || printf 's/\\b%s\\b/%s/g\n' "$old" "$new"
  done
}

find "$1" -name '*.java' | sort >"$work/files"
changed=0
left=0
lines=0
while read -r file; do
  grep -q '^import \(static \)\{0,1\}io\.netty\.' "$file" || continue
  { cat "$work/handlers.sed"; renames "$file"; } >"$work/script"
  sed -f "$work/script" "$file" >"$work/new"
  cmp -s "$file" "$work/new" || { cat "$work/new" >"$file"; changed=$((changed + 1)); }
  printf '%s\n' "$idioms" >"$work/idioms"
  while read -r idiom hint; do
    grep -nE -e "$idiom" "$file" | grep -vE '^[0-9]+:(import |[[:space:]]*(//|\*))' | while IFS=: read -r line _; do
      echo "$file:$line: $(sed -n "${line}s/^[[:space:]]*//p" "$file") -> $hint"
    done
  done <"$work/idioms" | sort -t: -k2n >"$work/said"
  cat "$work/said"
  lines=$((lines + $(wc -l <"$work/said")))
  grep -n '^import \(static \)\{0,1\}io\.netty\.' "$file" >"$work/left" || continue
  while IFS=: read -r line import; do
    name="$(printf '%s' "$import" | sed 's/^import \(static \)\{0,1\}//; s/;.*//')"
    hint="$(printf '%s\n' "$rest" | while read -r prefix hint; do
      case "$name" in "$prefix"*) echo "$hint"; break ;; esac
    done)"
    echo "$file:$line: $name -> $hint"
    left=$((left + 1))
  done <"$work/left"
done <"$work/files"
echo "$changed files changed, $left imports left, $lines lines to look at"
