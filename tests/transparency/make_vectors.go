// Makes vectors with golang.org/x/mod/sumdb (note, tlog) 0.7.0, which nobody here wrote.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type store []tlog.Hash

func (s store) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		out[i] = s[x]
	}
	return out, nil
}

func b(h []byte) string { return base64.StdEncoding.EncodeToString(h) }

func strs(p []tlog.Hash) []string {
	out := []string{}
	for _, h := range p {
		out = append(out, b(h[:]))
	}
	return out
}

func main() {
	var s store
	roots := map[int64]string{}
	const n = 700
	for i := int64(0); i < n; i++ {
		h, err := tlog.TreeHash(i, s)
		if err != nil {
			panic(err)
		}
		if i <= 9 || i == 255 || i == 256 || i == 257 || i == 512 || i == 513 || i == 699 {
			roots[i] = b(h[:])
		}
		hs, err := tlog.StoredHashes(i, []byte(fmt.Sprintf("leaf %d", i)), s)
		if err != nil {
			panic(err)
		}
		s = append(s, hs...)
	}
	h, _ := tlog.TreeHash(n, s)
	roots[n] = b(h[:])
	type inc struct {
		Index, Size int64
		Path        []string
	}
	type con struct {
		Old, Size int64
		Path      []string
	}
	incs, cons := []inc{}, []con{}
	for _, size := range []int64{1, 2, 3, 5, 8, 256, 257, 512, 513, 700} {
		for _, index := range []int64{0, 1, 2, 4, 7, 255, 256, 512, 699} {
			if index < size {
				p, err := tlog.ProveRecord(size, index, s)
				if err != nil {
					panic(err)
				}
				incs = append(incs, inc{index, size, strs(p)})
			}
			if index > 0 && index <= size {
				p, err := tlog.ProveTree(size, index, s)
				if err != nil {
					panic(err)
				}
				cons = append(cons, con{index, size, strs(p)})
			}
		}
	}
	type tile struct{ Path, SHA256 string }
	tiles := []tile{}
	for _, t := range tlog.NewTiles(8, 0, n) {
		data, err := tlog.ReadTileData(t, s)
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(data)
		tiles = append(tiles, tile{t.Path(), b(sum[:])})
	}
	seed := "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
	signer, err := note.NewSigner(seed)
	if err != nil {
		panic(err)
	}
	text := "example.com/log\n700\n" + roots[n] + "\n"
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"source": "golang.org/x/mod/sumdb/{note,tlog} v0.7.0 (Debian golang-golang-x-mod-dev), tests/transparency/make_vectors.go",
		"roots": roots, "inclusion": incs, "consistency": cons, "tiles": tiles, "note": string(signed),
		"key": "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
	})
}
