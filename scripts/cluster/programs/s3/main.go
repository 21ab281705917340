// Command s3 is an object storage that keeps everything in memory, with one bucket, named backups, on port 443.
// Arguments: the files of its certificate and key.
package main

import (
	"log"
	"net/http"
	"os"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	storage := s3mem.New()
	if err := storage.CreateBucket("backups"); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServeTLS(":443", os.Args[1], os.Args[2], gofakes3.New(storage).Server()))
}
