// Load generator for HTTP/1.1 that costs less than a server, so that the server is the limit:
// saturate [-c CONNECTIONS] [-d PIPELINED] [-p PATH] [-b BODY_BYTES] PORT SECONDS
//
// All answers are as long as the first: bytes are counted, and only the status line is read. It never sleeps, so no
// answer has to wake it. Prints a line for io.weft.bench.mainjob.WrkReport.
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

enum { MAX_FD = 4096, MAX_HEAD = 1024, READ_SIZE = 65536, MAX_MICROS = 1 << 20, EVENTS = 256, SEND_TIMEOUT = 5 };
#define STATUS "HTTP/1.1 200"

struct conn {
  long long asked;  // when, in nanoseconds
  long owed;        // bytes of answers to come
};
static struct conn conns[MAX_FD];
static unsigned latencies[MAX_MICROS];  // by microseconds; the last is for all that took longer
static struct sockaddr_in server = {.sin_family = AF_INET};
static char *asks, received[READ_SIZE];
static long asks_size, answer_size, answers_size;
static int epoll, depth = 1;
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

static void ask(int fd) {
  conns[fd] = (struct conn){.asked = now(), .owed = answers_size};
  if (send(fd, asks, asks_size, MSG_NOSIGNAL) != asks_size) failed_writes++;
}

static void open_one(void) {
  int fd = connected();
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) die("epoll_ctl");
  ask(fd);
}

static void answered(int fd) {
  long long micros = (now() - conns[fd].asked) / 1000;
  latencies[micros < MAX_MICROS ? micros : MAX_MICROS - 1]++;
  requests += depth;
  ask(fd);
}

static void on_readable(int fd) {
  struct conn *c = &conns[fd];
  bool first = c->owed == answers_size;
  // The bytes of a long answer are not even copied.
  bool discard = !first && c->owed > READ_SIZE;
  long n = recv(fd, received, discard ? c->owed : READ_SIZE, MSG_DONTWAIT | (discard ? MSG_TRUNC : 0));
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) {  // a server may close a connection that owes nothing
    if (!first) failed_reads++;
    close(fd);
    open_one();
    return;
  }
  if (first && (n < (long)sizeof STATUS || memcmp(received, STATUS, sizeof STATUS - 1))) failed_status++;
  if ((c->owed -= n) < 0) errno = EMSGSIZE, die("answers: longer than the first");
  if (c->owed == 0) answered(fd);
}

// The length of an answer, by one on a connection of its own.
static long measure(const char *one, long size) {
  static char answer[READ_SIZE];
  long n = 0, more;
  int fd = connected();
  if (send(fd, one, size, MSG_NOSIGNAL) != size) die("send");
  while (n < READ_SIZE - 1 && (more = read(fd, answer + n, READ_SIZE - 1 - n)) > 0) {
    answer[n += more] = 0;
    char *end = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "\r\ncontent-length:");
    if (!end) continue;
    close(fd);
    if (!length || length > end) errno = EPROTO, die("content-length");
    return end + 4 - answer + atol(length + 17);
  }
  errno = EPROTO;
  die("answer");
  return 0;
}

static long percentile(double share) {
  long long all = 0, below = 0;
  long at = 0;
  for (long i = 0; i < MAX_MICROS; i++) all += latencies[i];
  while (at < MAX_MICROS - 1 && (below += latencies[at]) < all * share) at++;
  return at;
}

int main(int argc, char **argv) {
  int connections = 64, option;
  const char *path = "/";
  long body = 0;
  while ((option = getopt(argc, argv, "c:d:p:b:")) != -1) {
    if (option == 'c') connections = atoi(optarg);
    if (option == 'd') depth = atoi(optarg);
    if (option == 'p') path = optarg;
    if (option == 'b') body = atol(optarg);
    if (option == '?') return 2;
  }
  if (argc - optind != 2 || connections < 1 || connections > MAX_FD / 2 || depth < 1 || body < 0) {
    fprintf(stderr, "usage: saturate [-c CONNECTIONS] [-d PIPELINED] [-p PATH] [-b BODY_BYTES] PORT SECONDS\n");
    return 2;
  }
  server.sin_port = htons(atoi(argv[optind]));
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  double seconds = atof(argv[optind + 1]);

  if (!(asks = malloc((MAX_HEAD + body) * depth))) die("malloc");
  char length[64] = "";
  if (body) snprintf(length, sizeof length, "Content-Length: %ld\r\n", body);
  long head = snprintf(asks, MAX_HEAD, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n%s\r\n", body ? "POST" : "GET", path,
                       argv[optind], length);
  if (head >= MAX_HEAD) errno = ENAMETOOLONG, die(path);
  memset(asks + head, 'x', body);
  long one = head + body;
  for (int i = 1; i < depth; i++) memcpy(asks + i * one, asks, one);
  asks_size = one * depth;
  answer_size = measure(asks, one);
  answers_size = answer_size * depth;

  if ((epoll = epoll_create1(EPOLL_CLOEXEC)) < 0) die("epoll_create1");
  for (int i = 0; i < connections; i++) open_one();
  struct epoll_event events[EVENTS];
  long long start = now(), end = start + (long long)(seconds * 1e9), at;
  while ((at = now()) < end) {
    int n = epoll_wait(epoll, events, EVENTS, 0);
    for (int i = 0; i < n; i++) on_readable(events[i].data.fd);
  }
  printf("weft-wrk requests=%lld micros=%lld p50=%ld p99=%ld connect=0 read=%lld write=%lld status=%lld timeout=0\n",
         requests, (at - start) / 1000, percentile(0.5), percentile(0.99), failed_reads, failed_writes, failed_status);
}
