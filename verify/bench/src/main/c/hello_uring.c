// Hello server on io_uring, straight on the system calls: hello_uring [PORT]
// Multishot accept and receive, a ring of provided buffers, one io_uring_enter for everything a turn has to submit.
#include "hello.h"
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

// Headers may be older than the kernel.
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif
#ifndef IORING_RECV_MULTISHOT
#define IORING_RECV_MULTISHOT (1U << 1)
#endif
#ifndef IORING_ACCEPT_MULTISHOT
#define IORING_ACCEPT_MULTISHOT (1U << 0)
#endif

enum { SQ = 2048, CQ = 8192, BUFFERS = 1024, BUFFER_SIZE = 4096 };
enum op { ACCEPT = 1, RECV, SEND, CANCEL, CLOSE };

static int ring;
static unsigned *sq_head, *sq_tail, *cq_head, *cq_tail, sq_mask, cq_mask, tail, pending;
static struct io_uring_sqe *sqes;
static struct io_uring_cqe *cqes;
static struct io_uring_buf_ring *buffers;
static char *buffer_memory;
static unsigned short buffer_tail;

static void enter(unsigned wait) {
  __atomic_store_n(sq_tail, tail, __ATOMIC_RELEASE);
  int n = syscall(SYS_io_uring_enter, ring, pending, wait, IORING_ENTER_GETEVENTS, NULL, 0);
  if (n >= 0)
    pending -= n;
  else if (errno != EINTR && errno != EBUSY && errno != EAGAIN)
    die("io_uring_enter");
}

static unsigned long long tag(enum op op, int fd) { return (unsigned long long)op << 32 | (unsigned)fd; }

static struct io_uring_sqe *submit(enum op op, int code, int fd) {
  while (tail - __atomic_load_n(sq_head, __ATOMIC_ACQUIRE) > sq_mask) enter(0);
  struct io_uring_sqe *sqe = &sqes[tail++ & sq_mask];
  pending++;
  memset(sqe, 0, sizeof *sqe);
  sqe->opcode = code;
  sqe->fd = fd;
  sqe->user_data = tag(op, fd);
  return sqe;
}

static void accept_more(int listener) {
  struct io_uring_sqe *sqe = submit(ACCEPT, IORING_OP_ACCEPT, listener);
  sqe->ioprio = IORING_ACCEPT_MULTISHOT;
  sqe->accept_flags = SOCK_CLOEXEC;
}

static void receive(int fd) {
  struct io_uring_sqe *sqe = submit(RECV, IORING_OP_RECV, fd);
  sqe->ioprio = IORING_RECV_MULTISHOT;
  sqe->flags = IOSQE_BUFFER_SELECT;
}

// Ends receiving; the receive's last completion then closes. Not IORING_OP_SHUTDOWN: that runs on a worker thread, which
// looks the descriptor up late and may find the next connection there.
static void stop_receiving(int fd) {
  struct io_uring_sqe *sqe = submit(CANCEL, IORING_OP_ASYNC_CANCEL, -1);
  sqe->addr = tag(RECV, fd);
  sqe->flags = IOSQE_CQE_SKIP_SUCCESS;
}

// Keeps one send in flight while something is owed. The descriptor is closed when no operation is left on it, so a late
// completion can never meet a new connection.
static void go_on(int fd, struct conn *c) {
  const char *from;
  long size;
  if (c->sending) return;
  if ((size = next_send(c, &from)) > 0) {
    struct io_uring_sqe *sqe = submit(SEND, IORING_OP_SEND, fd);
    sqe->addr = (unsigned long)from;
    sqe->len = size;
    sqe->msg_flags = MSG_NOSIGNAL | MSG_WAITALL;
    c->sending = true;
  } else if (c->ended) {
    submit(CLOSE, IORING_OP_CLOSE, fd)->flags = IOSQE_CQE_SKIP_SUCCESS;
  } else if (c->closing) {
    stop_receiving(fd);
  }
}

static void on_receive(int fd, struct conn *c, int result, unsigned flags) {
  bool fine = result > 0;
  if (flags & IORING_CQE_F_BUFFER) {
    unsigned short id = flags >> IORING_CQE_BUFFER_SHIFT;
    char *bytes = buffer_memory + (long)id * BUFFER_SIZE;
    if (fine && !c->closing && !(fine = received(c, bytes, result))) stop_receiving(fd);
    struct io_uring_buf *buffer = &buffers->bufs[buffer_tail++ & (BUFFERS - 1)];
    *buffer = (struct io_uring_buf){.addr = (unsigned long)bytes, .len = BUFFER_SIZE, .bid = id, .resv = buffer->resv};
  }
  if (!(flags & IORING_CQE_F_MORE)) {
    if (fine || result == -ENOBUFS)
      receive(fd);
    else
      c->ended = true;
  }
  if (result < 0 && result != -ENOBUFS) c->owed = c->last_owed = 0;
  if (fine || c->ended) go_on(fd, c);
}

static void on_completion(struct io_uring_cqe *cqe) {
  int fd = (int)cqe->user_data, result = cqe->res;
  switch ((enum op)(cqe->user_data >> 32)) {
    case ACCEPT:
      if (result >= MAX_FD) {
        close(result);
      } else if (result >= 0) {
        reset(&conns[result]);
        receive(result);
      }
      if (!(cqe->flags & IORING_CQE_F_MORE)) accept_more(fd);
      break;
    case RECV:
      on_receive(fd, &conns[fd], result, cqe->flags);
      break;
    case SEND:
      conns[fd].sending = false;
      if (result > 0) {
        sent(&conns[fd], result);
      } else {
        conns[fd].owed = conns[fd].last_owed = 0;
        conns[fd].closing = true;
      }
      go_on(fd, &conns[fd]);
      break;
    case CANCEL:  // failures only: the receive had just ended
    case CLOSE:
      break;
  }
}

static void *map(long size, int fd, long long offset) {
  int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_POPULATE, fd, offset);
  if (at == MAP_FAILED) die("mmap");
  return at;
}

static void set_up(void) {
  struct io_uring_params p = {.cq_entries = CQ};
  p.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
  if ((ring = syscall(SYS_io_uring_setup, SQ, &p)) < 0) die("io_uring_setup");
  long sq_size = p.sq_off.array + p.sq_entries * sizeof(unsigned);
  long cq_size = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
  char *rings = map(sq_size > cq_size ? sq_size : cq_size, ring, IORING_OFF_SQ_RING);  // IORING_FEAT_SINGLE_MMAP, 5.4
  sqes = map(p.sq_entries * sizeof *sqes, ring, IORING_OFF_SQES);
  cqes = (struct io_uring_cqe *)(rings + p.cq_off.cqes);
  sq_head = (unsigned *)(rings + p.sq_off.head), sq_tail = (unsigned *)(rings + p.sq_off.tail);
  cq_head = (unsigned *)(rings + p.cq_off.head), cq_tail = (unsigned *)(rings + p.cq_off.tail);
  sq_mask = p.sq_entries - 1, cq_mask = p.cq_entries - 1;
  unsigned *array = (unsigned *)(rings + p.sq_off.array);
  for (unsigned i = 0; i < p.sq_entries; i++) array[i] = i;

  buffers = map(BUFFERS * sizeof(struct io_uring_buf), -1, 0);
  buffer_memory = map((long)BUFFERS * BUFFER_SIZE, -1, 0);
  struct io_uring_buf_reg reg = {.ring_addr = (unsigned long)buffers, .ring_entries = BUFFERS};
  if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_PBUF_RING, &reg, 1)) die("IORING_REGISTER_PBUF_RING");
  for (int i = 0; i < BUFFERS; i++) {
    buffers->bufs[i].addr = (unsigned long)(buffer_memory + (long)i * BUFFER_SIZE);
    buffers->bufs[i].len = BUFFER_SIZE;
    buffers->bufs[i].bid = i;
  }
  buffer_tail = BUFFERS;
  __atomic_store_n(&buffers->tail, buffer_tail, __ATOMIC_RELEASE);
}

int main(int argc, char **argv) {
  int listener = listening(argc, argv, 0, "io_uring");
  set_up();
  accept_more(listener);
  for (;;) {
    enter(1);
    unsigned head = *cq_head, end = __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE);
    while (head != end) {
      on_completion(&cqes[head++ & cq_mask]);
      if (head == end) end = __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE);
    }
    __atomic_store_n(cq_head, head, __ATOMIC_RELEASE);
    __atomic_store_n(&buffers->tail, buffer_tail, __ATOMIC_RELEASE);
  }
}
