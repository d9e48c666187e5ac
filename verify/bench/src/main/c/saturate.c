// Load generator for HTTP/1.1 that costs less than a server, so that the server is the limit:
// saturate [-c CONNECTIONS] [-d PIPELINED] [-p PATH] [-b BODY_BYTES] PORT SECONDS
//
// All answers are as long as the first: bytes are counted, and only the status line is read. It never sleeps, so no
// answer has to wake it. Prints a line for io.weft.bench.mainjob.WrkReport.
#include "saturate.h"

enum { MAX_HEAD = 1024 };
#define STATUS "HTTP/1.1 200"

struct conn {
  long long asked;  // when, in nanoseconds
  long owed;        // bytes of answers to come
};
static struct conn conns[MAX_FD];
static char *asks;
static long asks_size, answer_size, answers_size;
static int depth = 1;

static void ask(int fd) {
  conns[fd] = (struct conn){.asked = now(), .owed = answers_size};
  send_all(fd, asks, asks_size);
}

static void open_one(void) {
  int fd = connected();
  watch(fd);
  ask(fd);
}

static void answered(int fd) {
  took(conns[fd].asked);
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
  set_up(argv[optind]);

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

  for (int i = 0; i < connections; i++) open_one();
  spin(atof(argv[optind + 1]), on_readable);
}
