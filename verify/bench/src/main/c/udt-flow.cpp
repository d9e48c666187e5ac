// A transfer by the reference implementation of UDT4, for UdtPaths:
//   udt-flow sink        listens, prints its port, then the bytes received so far, ten times a second
//   udt-flow pour PORT   sends to a sink of this machine until it is killed
#include <udt/udt.h>

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

static sockaddr_in here(int port) {
  sockaddr_in at;
  memset(&at, 0, sizeof at);
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
  return at;
}

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, UDT::getlasterror().getErrorMessage());
  return 1;
}

int main(int count, char** words) {
  static char bytes[1 << 16];
  UDT::startup();
  UDTSOCKET made = UDT::socket(AF_INET, SOCK_STREAM, 0);
  if (count > 2) {
    sockaddr_in to = here(atoi(words[2]));
    if (UDT::connect(made, (sockaddr*)&to, sizeof to) == UDT::ERROR) return fail("connect");
    while (UDT::send(made, bytes, sizeof bytes, 0) != UDT::ERROR) {
    }
    return fail("send");
  }
  sockaddr_in at = here(0);
  int length = sizeof at;
  if (UDT::bind(made, (sockaddr*)&at, sizeof at) == UDT::ERROR || UDT::listen(made, 1) == UDT::ERROR) return fail("bind");
  UDT::getsockname(made, (sockaddr*)&at, &length);
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  UDTSOCKET from = UDT::accept(made, (sockaddr*)&at, &length);
  long total = 0;
  double told = now();
  for (;;) {
    int got = UDT::recv(from, bytes, sizeof bytes, 0);
    if (got == UDT::ERROR) return fail("recv");
    total += got;
    if (now() - told >= 0.1) {
      told = now();
      printf("%ld\n", total);
      fflush(stdout);
    }
  }
}
