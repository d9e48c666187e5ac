"""Two streams of slixmpp through the server at the port given: messages from one reach the other."""
import asyncio
import sys
from xml.etree.ElementTree import Element

try:
    from slixmpp.basexmpp import BaseXMPP
    from slixmpp.xmlstream.handler import Callback
    from slixmpp.xmlstream.matcher import MatchXPath
except ImportError:
    sys.exit(77)


class Client(BaseXMPP):
    """A stream without a login: the server has none."""

    def __init__(self):
        super().__init__('localhost')
        self.enable_direct_tls = False
        self.enable_starttls = False
        self.enable_plaintext = True
        self.stream_header = (
            "<stream:stream to='localhost' xmlns:stream='%s' xmlns='%s' version='1.0'>"
            % (self.stream_ns, self.default_ns))
        self.opened = asyncio.Event()
        self.bodies = asyncio.Queue()
        self.register_handler(
            Callback('features', MatchXPath('{%s}features' % self.stream_ns), self.begin))
        self.add_event_handler('message', lambda m: self.bodies.put_nowait(m['body']))

    def begin(self, _):
        self.event('session_start')
        self.opened.set()


async def main(port):
    one, other = Client(), Client()
    for client in (one, other):
        client.connect('127.0.0.1', port)
        await asyncio.wait_for(client.opened.wait(), 60)
    for i in range(100):
        text = '%d <&> "wörd"\n\U0001f600 ]]>' % i
        one.send_message('all@localhost', text)
        got = await asyncio.wait_for(other.bodies.get(), 60)
        assert got == text, repr(got)
    ping = one.make_iq_get()
    ping.xml.append(Element('{urn:xmpp:ping}ping'))
    answer = await ping.send(timeout=60)
    assert answer['type'] == 'result', answer
    print('good')


asyncio.run(main(int(sys.argv[1])))
