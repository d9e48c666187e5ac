// As saturate, over HTTP/2 with prior knowledge: saturate_h2 [-c CONNECTIONS] [-m STREAMS] [-p PATH] PORT SECONDS
//
// Frames are told apart by their headers, and of HEADERS only the status is read. The windows are as large as they can
// be (RFC 9113, 6.9.1); that of the connection is opened again by the gigabyte.
#include "saturate.h"

// A stream that is overtaken by all places of `asked` would be timed as if it were younger.
enum { MAX_STREAMS = 100, PLACES = 1024, HEADER = 9, MAX_BLOCK = 256, REOPEN = 1 << 30 };
enum { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, GOAWAY = 7, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };
#define MAX_ID 0x7fffffff
#define STATUS_200 0x88  // RFC 7541, Appendix A: index 8

struct conn {
  unsigned next_id;
  long long asked[PLACES];  // by half of the identifier
  unsigned char head[HEADER];    // of the frame that is being read
  int head_size;
  long left;  // of its payload
  unsigned content;  // bytes of DATA since the window was opened
  bool first_of_payload, begun;
};
static struct conn *conns[MAX_FD];
static unsigned char first_block[MAX_BLOCK], block[MAX_BLOCK];
static int first_size, block_size, streams = 1;

// What is to be sent on the connection that is being read, by one call.
static unsigned char out[MAX_STREAMS * (HEADER + MAX_BLOCK) + READ_SIZE];
static int out_size;

static void frame(int length, int type, int flags, unsigned stream, const void *payload) {
  unsigned char head[HEADER] = {length >> 16, length >> 8, length, type, flags,
                                stream >> 24, stream >> 16, stream >> 8, stream};
  memcpy(out + out_size, head, HEADER);
  if (length) memcpy(out + out_size + HEADER, payload, length);
  out_size += HEADER + length;
}

static void flush(int fd) {
  if (out_size) send_all(fd, out, out_size);
  out_size = 0;
}

static void ask(struct conn *c) {
  if (out_size > (int)sizeof out - HEADER - MAX_BLOCK) errno = EPROTO, die("answers: more than requests");
  int size = c->begun ? block_size : first_size;
  frame(size, HEADERS, END_STREAM | END_HEADERS, c->next_id, c->begun ? block : first_block);
  c->begun = true;
  c->asked[c->next_id / 2 % PLACES] = now();
  c->next_id += 2;
}

static void open_one(void) {
  static const unsigned char preface[] =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      "\0\0\6\4\0\0\0\0\0\0\4\x7f\xff\xff\xff"    // SETTINGS_INITIAL_WINDOW_SIZE
      "\0\0\4\x8\0\0\0\0\0\x7f\xff\0\0";          // WINDOW_UPDATE of the connection by 2^31 - 65536
  int fd = connected();
  struct conn *c = conns[fd] ? conns[fd] : malloc(sizeof *c);
  if (!c) die("malloc");
  *c = (struct conn){.next_id = 1};
  conns[fd] = c;
  send_all(fd, preface, sizeof preface - 1);
  watch(fd);
  for (int i = 0; i < streams; i++) ask(c);
  flush(fd);
}

static void again(int fd) {
  close(fd);
  open_one();
}

static void on_frame(struct conn *c) {
  unsigned char *h = c->head;
  unsigned stream = (h[5] & 0x7f) << 24 | h[6] << 16 | h[7] << 8 | h[8];
  int type = h[3], flags = h[4];
  if (type == DATA && (c->content += h[0] << 16 | h[1] << 8 | h[2]) >= REOPEN) {
    unsigned char by[] = {c->content >> 24, c->content >> 16, c->content >> 8, c->content};
    frame(sizeof by, WINDOW_UPDATE, 0, 0, by);
    c->content = 0;
  }
  if (type == SETTINGS && !(flags & ACK)) {
    frame(0, SETTINGS, ACK, 0, NULL);
  } else if (type == RST_STREAM || type == GOAWAY) {
    failed_status++;
  } else if ((type == DATA || type == HEADERS) && flags & END_STREAM) {
    took(c->asked[stream / 2 % PLACES]);
    requests++;
    ask(c);
  }
}

static void on_readable(int fd) {
  struct conn *c = conns[fd];
  long n = recv(fd, received, READ_SIZE, MSG_DONTWAIT), at = 0;
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) {
    failed_reads++;
    again(fd);
    return;
  }
  while (at < n) {
    if (c->head_size < HEADER) {
      c->head[c->head_size++] = received[at++];
      if (c->head_size < HEADER) continue;
      c->left = c->head[0] << 16 | c->head[1] << 8 | c->head[2];
      c->first_of_payload = c->head[3] == HEADERS;
    }
    if (c->first_of_payload && c->left > 0 && at < n) {
      unsigned char first = received[at];
      // A change of the table's size may come first (RFC 7541, 6.3).
      if (first != STATUS_200 && (first & 0xe0) != 0x20) failed_status++;
      c->first_of_payload = false;
    }
    long take = c->left < n - at ? c->left : n - at;
    c->left -= take;
    at += take;
    if (c->left == 0) {
      on_frame(c);
      c->head_size = 0;
    }
  }
  flush(fd);
  if (c->next_id > MAX_ID - 2 * MAX_STREAMS) again(fd);
}

// The fields of a request: the first adds its authority to the server's table (index 62), the others refer to it.
static void make_blocks(const char *path, const char *port) {
  unsigned char fields[MAX_BLOCK];
  int size = 0, length = strlen(path);
  if (length > 100) errno = ENAMETOOLONG, die(path);
  fields[size++] = 0x82;  // :method: GET
  fields[size++] = 0x86;  // :scheme: http
  fields[size++] = 0x04;  // :path, not to be kept
  fields[size++] = length;
  memcpy(fields + size, path, length);
  size += length;
  memcpy(block, fields, size);
  block_size = size;
  block[block_size++] = 0x80 | 62;
  memcpy(first_block, fields, size);
  first_block[size++] = 0x41;  // :authority, to be kept
  first_size = size + 1 + snprintf((char *)first_block + size + 1, 32, "127.0.0.1:%s", port);
  first_block[size] = first_size - size - 1;
}

int main(int argc, char **argv) {
  int connections = 100, option;
  const char *path = "/";
  while ((option = getopt(argc, argv, "c:m:p:")) != -1) {
    if (option == 'c') connections = atoi(optarg);
    if (option == 'm') streams = atoi(optarg);
    if (option == 'p') path = optarg;
    if (option == '?') return 2;
  }
  if (argc - optind != 2 || connections < 1 || connections > MAX_FD / 2 || streams < 1 || streams > MAX_STREAMS) {
    fprintf(stderr, "usage: saturate_h2 [-c CONNECTIONS] [-m STREAMS] [-p PATH] PORT SECONDS\n");
    return 2;
  }
  set_up(argv[optind]);
  make_blocks(path, argv[optind]);
  for (int i = 0; i < connections; i++) open_one();
  spin(atof(argv[optind + 1]), on_readable);
}
