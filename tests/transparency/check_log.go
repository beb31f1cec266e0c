// Checks a log that is served over HTTP with programs nobody here wrote: checkpoint, tiles and entries with
// golang.org/x/mod/sumdb (note, tlog), cosignatures with github.com/transparency-dev/formats (note).
//
//	go run check_log.go http://127.0.0.1:8500/log KEY-OF-THE-LOG [KEY-OF-A-WITNESS ...]
//
// How to have both from packages: docs/decisions/0049-one-log-others-watch.md.
package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error) {
	if err != nil {
		fmt.Println("BAD:", err)
		os.Exit(1)
	}
}

type server struct{ address string }

func (s server) get(path string) ([]byte, error) {
	answer, err := http.Get(s.address + "/" + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// sumdb writes the height of its tiles into their paths; in C2SP it is always 8.
func path(t tlog.Tile) string { return strings.Replace(t.Path(), "tile/8/", "tile/", 1) }

func (s server) Height() int { return 8 }

func (s server) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, t := range tiles {
		data, err := s.get(path(t))
		if err != nil {
			return nil, err
		}
		read = append(read, data)
	}
	return read, nil
}

func (s server) SaveTiles([]tlog.Tile, [][]byte) {}

func main() {
	log, keys := server{strings.TrimRight(os.Args[1], "/")}, os.Args[2:]
	known := []note.Verifier{}
	for place, key := range keys {
		make := cosignature.NewVerifierForCosignatureV1
		if place == 0 {
			make = note.NewVerifier
		}
		verifier, err := make(key)
		must(err)
		known = append(known, verifier)
	}
	written, err := log.get("checkpoint")
	must(err)
	// A signature of a known key that does not hold is an error already here.
	opened, err := note.Open(written, note.VerifierList(known...))
	must(err)
	for _, each := range opened.Sigs {
		fmt.Println("ok   signed by", each.Name)
	}
	if len(opened.Sigs) != len(known) {
		fmt.Printf("BAD: %d of %d keys signed\n", len(opened.Sigs), len(known))
		os.Exit(1)
	}
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	must(err)
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)

	// Every hash that this gives out was proved by tiles up to the root.
	reader := tlog.TileHashReader(tree, log)
	checked := int64(0)
	for bundle := int64(0); bundle*256 < size; bundle++ {
		width := size - bundle*256
		if width > 256 {
			width = 256
		}
		place := tlog.Tile{H: 8, L: 0, N: bundle, W: int(width)}
		entries, err := log.get(strings.Replace(path(place), "tile/0/", "tile/entries/", 1))
		must(err)
		indexes := []int64{}
		for number := int64(0); number < width; number++ {
			indexes = append(indexes, tlog.StoredHashIndex(0, bundle*256+number))
		}
		hashes, err := reader.ReadHashes(indexes)
		must(err)
		for _, hash := range hashes {
			length := int(entries[0])<<8 | int(entries[1])
			if tlog.RecordHash(entries[2:2+length]) != hash {
				must(fmt.Errorf("entry %d is not in the tree", checked))
			}
			entries, checked = entries[2+length:], checked+1
		}
		if len(entries) != 0 {
			must(fmt.Errorf("bundle %d is too long", bundle))
		}
	}
	fmt.Println("ok   entries in the tree by its tiles:", checked)
	for _, old := range []int64{1, size / 3, size - 1} {
		if old < 1 {
			continue
		}
		before, err := tlog.TreeHash(old, reader)
		must(err)
		proof, err := tlog.ProveTree(size, old, reader)
		must(err)
		must(tlog.CheckTree(proof, size, tree.Hash, old, before))
		fmt.Println("ok   it only grew since it had entries:", old)
	}
}
