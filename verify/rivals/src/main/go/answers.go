// The answers of io.weft.rivals.Answers on Go's net/http: answers CERTIFICATE KEY.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func listen() net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return listener
}

func text(path string, body []byte) {
	http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	})
}

func main() {
	text("/hello", []byte("Hello, World!"))
	text("/1k", bytes.Repeat([]byte("x"), 1<<10))
	text("/64k", bytes.Repeat([]byte("x"), 64<<10))
	text("/1m", bytes.Repeat([]byte("x"), 1<<20))
	http.HandleFunc("/json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte("{\"message\":\"Hello, World!\"}"))
	})
	http.HandleFunc("/upload", func(w http.ResponseWriter, r *http.Request) {
		length, _ := io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, length)
	})
	http.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(filepath.Dir(os.Args[1]), "file"))
	})
	http.HandleFunc("/blocking", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Millisecond)
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte("Hello, World!"))
	})
	plain, secure := listen(), listen()
	port := func(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }
	fmt.Println("listening on", port(plain), port(secure))
	go func() { panic(http.ServeTLS(secure, nil, os.Args[1], os.Args[2])) }()
	panic(http.Serve(plain, nil))
}
