// A peer on the reference implementation of UDT4, for UdtPeersTest:
//   peer echo stream|message PORT              listens, prints its port, sends back what one client sends
//   peer ask stream|message HOST PORT COUNT    connects, sends COUNT bytes or messages, checks that they come back
//   peer meet stream|message LOCAL HOST PORT COUNT   as ask, by rendezvous
//   peer join stream|message LOCAL HOST PORT   as echo, by rendezvous
//   peer late HOST PORT                        takes messages without an answer until the end, prints their numbers
#include <udt/udt.h>

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <vector>

static const int MOST = 200000;

static int fail(const char* what) {
  printf("%s: %s\n", what, UDT::getlasterror().getErrorMessage());
  fflush(stdout);
  _exit(1);
}

static sockaddr_in address(const char* host, int port) {
  sockaddr_in at;
  memset(&at, 0, sizeof at);
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  inet_pton(AF_INET, host, &at.sin_addr);
  return at;
}

static UDTSOCKET opened(bool message) {
  UDTSOCKET made = UDT::socket(AF_INET, message ? SOCK_DGRAM : SOCK_STREAM, 0);
  if (made == UDT::INVALID_SOCK) fail("socket");
  linger wait = {1, 60};
  UDT::setsockopt(made, 0, UDT_LINGER, &wait, sizeof wait);
  return made;
}

// The byte at a place of the stream, and the length of a message.
static char byteAt(long at) { return (char)(at * 31 + (at >> 8) * 17 + (at >> 16)); }
static int lengthOf(long message) { return 1 + (int)((message * 7919) % 20000); }

static void sendAll(UDTSOCKET to, const char* bytes, int length) {
  for (int at = 0; at < length;) {
    int sent = UDT::send(to, bytes + at, length - at, 0);
    if (sent == UDT::ERROR) fail("send");
    at += sent;
  }
}

static void echo(UDTSOCKET with, bool message) {
  std::vector<char> bytes(MOST);
  long total = 0;
  for (;;) {
    int got = message ? UDT::recvmsg(with, &bytes[0], MOST) : UDT::recv(with, &bytes[0], MOST, 0);
    if (got == UDT::ERROR || got == 0) break;
    total += got;
    if (message) {
      if (UDT::sendmsg(with, &bytes[0], got, -1, true) == UDT::ERROR) fail("sendmsg");
    } else {
      sendAll(with, &bytes[0], got);
    }
  }
  printf("echoed %ld\n", total);
  fflush(stdout);
}

struct Question {
  UDTSOCKET with;
  bool message;
  long count;
};

static void* ask(void* of) {
  Question* question = (Question*)of;
  std::vector<char> bytes(MOST);
  if (question->message) {
    for (long i = 0; i < question->count; i++) {
      int length = lengthOf(i);
      for (int j = 0; j < length; j++) bytes[j] = byteAt(i + j);
      if (UDT::sendmsg(question->with, &bytes[0], length, -1, true) == UDT::ERROR) fail("sendmsg");
    }
    return NULL;
  }
  for (long at = 0; at < question->count;) {
    long left = question->count - at;
    int length = left < 50000 ? (int)left : 50000;
    for (int j = 0; j < length; j++) bytes[j] = byteAt(at + j);
    sendAll(question->with, &bytes[0], length);
    at += length;
  }
  return NULL;
}

static void check(UDTSOCKET with, bool message, long count) {
  Question question = {with, message, count};
  pthread_t asking;
  pthread_create(&asking, NULL, ask, &question);
  std::vector<char> bytes(MOST);
  if (message) {
    for (long i = 0; i < count; i++) {
      int got = UDT::recvmsg(with, &bytes[0], MOST);
      if (got == UDT::ERROR) fail("recvmsg");
      bool good = got == lengthOf(i);
      for (int j = 0; good && j < got; j++) good = bytes[j] == byteAt(i + j);
      if (!good) {
        printf("message %ld: wrong, %d bytes\n", i, got);
        fflush(stdout);
        _exit(1);
      }
    }
  } else {
    for (long at = 0; at < count;) {
      int got = UDT::recv(with, &bytes[0], MOST, 0);
      if (got == UDT::ERROR) fail("recv");
      for (int j = 0; j < got; j++) {
        if (bytes[j] != byteAt(at + j)) {
          printf("byte %ld: wrong\n", at + j);
          fflush(stdout);
          _exit(1);
        }
      }
      at += got;
    }
  }
  pthread_join(asking, NULL);
  printf("good %ld\n", count);
  fflush(stdout);
}

static UDTSOCKET met(bool message, int local, const char* host, int port) {
  UDTSOCKET made = opened(message);
  bool rendezvous = true;
  UDT::setsockopt(made, 0, UDT_RENDEZVOUS, &rendezvous, sizeof rendezvous);
  sockaddr_in own = address("127.0.0.1", local);
  if (UDT::bind(made, (sockaddr*)&own, sizeof own) == UDT::ERROR) fail("bind");
  sockaddr_in to = address(host, port);
  if (UDT::connect(made, (sockaddr*)&to, sizeof to) == UDT::ERROR) fail("connect");
  return made;
}

static UDTSOCKET connected(bool message, const char* host, int port) {
  UDTSOCKET made = opened(message);
  sockaddr_in to = address(host, port);
  if (UDT::connect(made, (sockaddr*)&to, sizeof to) == UDT::ERROR) fail("connect");
  return made;
}

int main(int count, char** words) {
  if (count < 3) return 2;
  UDT::startup();
  std::string what = words[1];
  bool message = std::string(words[2]) == "message";
  if (what == "echo") {
    UDTSOCKET listener = opened(message);
    sockaddr_in own = address("127.0.0.1", atoi(words[3]));
    if (UDT::bind(listener, (sockaddr*)&own, sizeof own) == UDT::ERROR) fail("bind");
    if (UDT::listen(listener, 10) == UDT::ERROR) fail("listen");
    int length = sizeof own;
    UDT::getsockname(listener, (sockaddr*)&own, &length);
    printf("port %d\n", ntohs(own.sin_port));
    fflush(stdout);
    sockaddr_in from;
    length = sizeof from;
    UDTSOCKET with = UDT::accept(listener, (sockaddr*)&from, &length);
    if (with == UDT::INVALID_SOCK) fail("accept");
    echo(with, message);
    UDT::close(with);
    UDT::close(listener);
  } else if (what == "ask") {
    UDTSOCKET with = connected(message, words[3], atoi(words[4]));
    check(with, message, atol(words[5]));
    UDT::close(with);
  } else if (what == "meet") {
    UDTSOCKET with = met(message, atoi(words[3]), words[4], atoi(words[5]));
    check(with, message, atol(words[6]));
    UDT::close(with);
  } else if (what == "join") {
    UDTSOCKET with = met(message, atoi(words[3]), words[4], atoi(words[5]));
    echo(with, message);
    UDT::close(with);
  } else if (what == "late") {
    UDTSOCKET with = connected(true, words[2], atoi(words[3]));
    std::vector<char> bytes(MOST);
    for (;;) {
      int got = UDT::recvmsg(with, &bytes[0], MOST);
      if (got == UDT::ERROR || got < 4) break;
      int number;
      memcpy(&number, &bytes[0], 4);
      printf("message %d of %d\n", (int)ntohl(number), got);
      fflush(stdout);
    }
    UDT::close(with);
  } else {
    return 2;
  }
  UDT::cleanup();
  return 0;
}
