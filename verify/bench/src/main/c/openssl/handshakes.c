// What handshakes cost the system's OpenSSL alone: both sides in memory on one thread, on the terms of SslHandshakeBenchmark
// (P-256, X25519, AES-128 in GCM; full ones keep no sessions, resumed ones take up the last), but nobody looks at the
// certificate.
//   handshakes SECONDS
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void fail(const char *what) {
  ERR_print_errors_fp(stderr);
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int accept_any(X509_STORE_CTX *store, void *argument) {
  (void)store;
  (void)argument;
  return 1;
}

static X509 *certificate(EVP_PKEY *key) {
  X509 *x = X509_new();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), 0);
  X509_gmtime_adj(X509_getm_notAfter(x), 86400);
  X509_set_pubkey(x, key);
  X509_NAME *name = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"example.com", -1, -1, 0);
  X509_set_issuer_name(x, name);
  if (!X509_sign(x, key, EVP_sha256())) fail("X509_sign");
  return x;
}

// The session that the client takes up next, and whether it was.
static SSL_SESSION *last;

static int keep(SSL *ssl, SSL_SESSION *session) {
  (void)ssl;
  SSL_SESSION_free(last);
  last = session;
  return 1;
}

static SSL_CTX *context(const SSL_METHOD *method, int version, int resumes) {
  SSL_CTX *context = SSL_CTX_new(method);
  SSL_CTX_set_min_proto_version(context, version);
  SSL_CTX_set_max_proto_version(context, version);
  SSL_CTX_set1_groups_list(context, "X25519:P-256");
  SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256");
  SSL_CTX_set_cipher_list(context, "ECDHE-ECDSA-AES128-GCM-SHA256");
  if (resumes) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, keep);
    SSL_CTX_set_num_tickets(context, 1);
  } else {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
  }
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  return context;
}

static void give(SSL *from, SSL *to) {
  char bytes[65536];
  for (int n; (n = BIO_read(SSL_get_wbio(from), bytes, sizeof bytes)) > 0;) BIO_write(SSL_get_rbio(to), bytes, n);
}

static int connect_once(SSL_CTX *client_context, SSL_CTX *server_context) {
  SSL *client = SSL_new(client_context), *server = SSL_new(server_context);
  SSL_set_bio(client, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_bio(server, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_connect_state(client);
  SSL_set_accept_state(server);
  SSL_set_tlsext_host_name(client, "example.com");
  if (last) SSL_set_session(client, last);
  for (int i = 0; i < 6 && !(SSL_is_init_finished(client) && SSL_is_init_finished(server)); i++) {
    SSL_do_handshake(client);
    give(client, server);
    SSL_do_handshake(server);
    give(server, client);
  }
  char byte = 1;
  SSL_write(server, &byte, 1);
  give(server, client);
  if (SSL_read(client, &byte, 1) != 1) fail("no handshake");
  int resumed = SSL_session_reused(client);
  SSL_shutdown(client);
  SSL_free(client);
  SSL_free(server);
  return resumed;
}

static void measure(const char *name, int version, int resumes, double seconds) {
  SSL_CTX *client = context(TLS_client_method(), version, resumes);
  SSL_CTX *server = context(TLS_server_method(), version, resumes);
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *own = certificate(key);
  if (SSL_CTX_use_certificate(server, own) != 1 || SSL_CTX_use_PrivateKey(server, key) != 1) fail("identity");
  SSL_CTX_set_verify(client, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_cert_verify_callback(client, accept_any, NULL);
  if (resumes) connect_once(client, server);
  long count = 0;
  double start = now(), end = start + seconds;
  for (; now() < end; count++) {
    if (connect_once(client, server) != resumes) fail("resumed, or not, other than asked for");
  }
  double took = now() - start;
  printf("%s, %s: %.0f handshakes/s, %.0f us each\n", name, resumes ? "resumed" : "full", count / took, took / count * 1e6);
  SSL_SESSION_free(last);
  last = NULL;
  X509_free(own);
  EVP_PKEY_free(key);
  SSL_CTX_free(client);
  SSL_CTX_free(server);
}

int main(int count, char **arguments) {
  double seconds = count > 1 ? atof(arguments[1]) : 3;
  printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
  for (int resumes = 0; resumes < 2; resumes++) {
    measure("TLSv1.3", TLS1_3_VERSION, resumes, seconds);
    measure("TLSv1.2", TLS1_2_VERSION, resumes, seconds);
  }
  return 0;
}
