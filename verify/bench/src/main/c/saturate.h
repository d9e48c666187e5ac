// What the load generators share: connections, latencies, and the line for io.weft.bench.mainjob.WrkReport.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_FD = 4096, READ_SIZE = 65536, MAX_MICROS = 1 << 20, EVENTS = 256, SEND_TIMEOUT = 5 };

static unsigned latencies[MAX_MICROS];  // by microseconds; the last is for all that took longer
static struct sockaddr_in server = {.sin_family = AF_INET};
static int epoll;
static char received[READ_SIZE];
static long long requests, failed_reads, failed_writes, failed_status;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void set_up(const char *port) {
  server.sin_port = htons(atoi(port));
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if ((epoll = epoll_create1(EPOLL_CLOEXEC)) < 0) die("epoll_create1");
}

static int connected(void) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  struct timeval timeout = {.tv_sec = SEND_TIMEOUT};
  if (fd < 0) die("socket");
  if (fd >= MAX_FD) errno = EMFILE, die("descriptors");
  if (connect(fd, (struct sockaddr *)&server, sizeof server)) die("connect");
  if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)) die("TCP_NODELAY");
  if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout)) die("SO_SNDTIMEO");
  return fd;
}

static void watch(int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) die("epoll_ctl");
}

static void send_all(int fd, const void *bytes, long size) {
  if (send(fd, bytes, size, MSG_NOSIGNAL) != size) failed_writes++;
}

static void took(long long since) {
  long long micros = (now() - since) / 1000;
  latencies[micros < MAX_MICROS ? micros : MAX_MICROS - 1]++;
}

static long percentile(double share) {
  long long all = 0, below = 0;
  long at = 0;
  for (long i = 0; i < MAX_MICROS; i++) all += latencies[i];
  while (at < MAX_MICROS - 1 && (below += latencies[at]) < all * share) at++;
  return at;
}

// Reads from ready connections for some seconds, without sleeping.
static void spin(double seconds, void (*on_readable)(int fd)) {
  struct epoll_event events[EVENTS];
  long long start = now(), end = start + (long long)(seconds * 1e9), at;
  while ((at = now()) < end) {
    int n = epoll_wait(epoll, events, EVENTS, 0);
    for (int i = 0; i < n; i++) on_readable(events[i].data.fd);
  }
  printf("weft-wrk requests=%lld micros=%lld p50=%ld p99=%ld connect=0 read=%lld write=%lld status=%lld timeout=0\n",
         requests, (at - start) / 1000, percentile(0.5), percentile(0.99), failed_reads, failed_writes, failed_status);
}
