// Hello server on epoll: hello_epoll [PORT]
#include "hello.h"
#include <sys/epoll.h>

static char input[65536];
static int epoll;

static void watch(int fd, int op, unsigned events) {
  struct epoll_event e = {.events = events, .data.fd = fd};
  if (epoll_ctl(epoll, op, fd, &e)) die("epoll_ctl");
}

static void accept_all(int listener) {
  int fd;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    if (fd >= MAX_FD) {
      close(fd);
      continue;
    }
    reset(&conns[fd]);
    watch(fd, EPOLL_CTL_ADD, EPOLLIN);
  }
}

// Sends what is owed; false when the connection is over.
static bool flush(int fd, struct conn *c, bool writable) {
  const char *from;
  long size;
  while ((size = next_send(c, &from)) > 0) {
    long n = send(fd, from, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EAGAIN) {
      if (!writable) watch(fd, EPOLL_CTL_MOD, EPOLLOUT);  // and read nothing more until it is sent
      return true;
    }
    if (n < 0) return false;
    sent(c, n);
  }
  if (c->closing) return false;
  if (writable) watch(fd, EPOLL_CTL_MOD, EPOLLIN);
  return true;
}

static bool ready(int fd, struct conn *c, unsigned events) {
  if (events & EPOLLOUT) return flush(fd, c, true);
  long n = recv(fd, input, sizeof input, 0);
  if (n < 0 && errno == EAGAIN) return true;
  return n > 0 && received(c, input, n) && flush(fd, c, false);
}

int main(int argc, char **argv) {
  int listener = listening(argc, argv, SOCK_NONBLOCK, "epoll");
  struct epoll_event events[256];
  if ((epoll = epoll_create1(EPOLL_CLOEXEC)) < 0) die("epoll_create1");
  watch(listener, EPOLL_CTL_ADD, EPOLLIN);
  for (;;) {
    int n = epoll_wait(epoll, events, 256, -1);
    if (n < 0 && errno != EINTR) die("epoll_wait");
    for (int i = 0; i < n; i++) {
      int fd = events[i].data.fd;
      if (fd == listener)
        accept_all(fd);
      else if (!ready(fd, &conns[fd], events[i].events))
        close(fd);
    }
  }
}
