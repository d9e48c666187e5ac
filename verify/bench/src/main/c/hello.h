// What both hello servers share: the answers, the request scanner, the listening socket.
// They are the physical limit that the framework is held against, so they do only what correctness needs: requests
// may be split or pipelined in any way, Connection: close is honoured; request bodies are not supported.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 13\r\n\r\nHello, World!"
#define LAST_ANSWER \
  "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 13\r\nconnection: close\r\n\r\nHello, World!"
#define ANSWER_SIZE ((long)sizeof(ANSWER) - 1)
#define LAST_ANSWER_SIZE ((long)sizeof(LAST_ANSWER) - 1)

enum { MAX_HEAD = 4096, BATCH = 256, MAX_FD = 65536 };

// ANSWER repeated, so that n answers are one send.
static char answers[BATCH * sizeof(ANSWER)];

// One connection; the slot is its descriptor.
struct conn {
  long owed;       // bytes of ANSWER still to send; their phase in `answers` follows from the count
  long last_owed;  // bytes of LAST_ANSWER still to send, after the others
  bool closing;    // the peer asked for close: requests after that one are ignored
  bool sending;    // a send is in flight (io_uring)
  bool ended;      // nothing more will be received (io_uring)
  int part_size;   // bytes of an unfinished request head
  char *part;
};
static struct conn conns[MAX_FD];

static void die(const char *what) {
  perror(what);
  exit(1);
}

static bool asks_close(const char *head, const char *end) {
  for (const char *line = memchr(head, '\n', end - head); line && ++line < end; line = memchr(line, '\n', end - line)) {
    if ((*line | 0x20) == 'c' && end - line > 17 && strncasecmp(line, "connection:", 11) == 0) {
      const char *value = line + 11;
      while (*value == ' ' || *value == '\t') value++;
      return strncasecmp(value, "close", 5) == 0;
    }
  }
  return false;
}

// Answers every complete head in bytes; returns how many bytes those heads took.
static long scan(struct conn *c, const char *bytes, long size) {
  const char *at = bytes, *end = bytes + size, *blank;
  while (!c->closing && (blank = memmem(at, end - at, "\r\n\r\n", 4))) {
    if (asks_close(at, blank + 2)) {
      c->closing = true;
      c->last_owed = LAST_ANSWER_SIZE;
    } else {
      c->owed += ANSWER_SIZE;
    }
    at = blank + 4;
  }
  return c->closing ? size : at - bytes;
}

// Takes received bytes; false when a request head is too long.
static bool received(struct conn *c, const char *bytes, long size) {
  if (c->part_size > 0) {
    long take = size < MAX_HEAD - c->part_size ? size : MAX_HEAD - c->part_size;
    memcpy(c->part + c->part_size, bytes, take);
    long used = scan(c, c->part, c->part_size + take);
    if (used == 0) {
      c->part_size += take;
      return c->part_size < MAX_HEAD;
    }
    // The heads that ended here took all of the old part: no head ended in it before.
    used -= c->part_size;
    c->part_size = 0;
    bytes += used;
    size -= used;
  }
  long used = scan(c, bytes, size);
  if (used < size) {
    if (size - used >= MAX_HEAD || (!c->part && !(c->part = malloc(MAX_HEAD)))) return false;
    c->part_size = size - used;
    memcpy(c->part, bytes + used, c->part_size);
  }
  return true;
}

static void reset(struct conn *c) {
  char *part = c->part;
  *c = (struct conn){.part = part};
}

// The next bytes to send, 0 when nothing is owed.
static long next_send(struct conn *c, const char **from) {
  if (c->owed > 0) {
    long phase = (ANSWER_SIZE - c->owed % ANSWER_SIZE) % ANSWER_SIZE;
    long most = BATCH * ANSWER_SIZE - phase;
    *from = answers + phase;
    return c->owed < most ? c->owed : most;
  }
  *from = &LAST_ANSWER[LAST_ANSWER_SIZE - c->last_owed];
  return c->last_owed;
}

static void sent(struct conn *c, long size) { *(c->owed > 0 ? &c->owed : &c->last_owed) -= size; }

// Listens on 127.0.0.1 and the port given (default 0: any) and says where.
static int listening(int argc, char **argv, int type, const char *engine) {
  signal(SIGPIPE, SIG_IGN);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max < MAX_FD ? files.rlim_max : MAX_FD;
  setrlimit(RLIMIT_NOFILE, &files);
  for (int i = 0; i < BATCH; i++) memcpy(answers + i * ANSWER_SIZE, ANSWER, ANSWER_SIZE);

  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | type, 0), on = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  at.sin_port = htons(argc > 1 ? atoi(argv[1]) : 0);
  socklen_t size = sizeof at;
  if (fd < 0) die("socket");
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // accepted sockets inherit it
  if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1024) || getsockname(fd, (struct sockaddr *)&at, &size))
    die("listen");
  printf("listening on 127.0.0.1:%d (c %s)\n", ntohs(at.sin_port), engine);
  fflush(stdout);
  return fd;
}
