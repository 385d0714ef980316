// Command fitmatch fits the weights by which curlew match judges pairs, and prints how they do
// on benchmarks that were left out.
//
//	fitmatch [-write FILE] CORPUS
//
// Every benchmark counts the same, however many pairs it has. It is judged in blocks of a quarter
// of its pairs, about as many as the part of it that nobody here has seen.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/curlew-data/curlew/internal/change/match"
)

const (
	blocks = 4
	favour = 1.5 // a pair that is one thing counts that much more: they are few, and F1 is about them
)

// benchmark is the pairs of one file, compared block by block.
type benchmark struct {
	name   string
	blocks [][]match.Compared
	same   [][]bool
	pairs  [][]match.Pair
}

func main() {
	log.SetFlags(0)
	write := flag.String("write", "", "keep the weights of all benchmarks in this `file`")
	worst := flag.String("worst", "", "show pairs of this `benchmark` that are judged wrongly by weights fitted without it")
	flag.Parse()
	files, err := filepath.Glob(filepath.Join(flag.Arg(0), "entity-match", "dev", "*.jsonl"))
	if err != nil || len(files) == 0 {
		log.Fatalf("fitmatch: no benchmarks in %s/entity-match/dev", flag.Arg(0))
	}
	var all []*benchmark
	for _, file := range files {
		one, err := load(file)
		if err != nil {
			log.Fatalf("fitmatch: %s: %s", file, err)
		}
		all = append(all, one)
	}
	report(all, *worst)
	if *write != "" {
		if err := os.WriteFile(*write, encode(fit(all)), 0o644); err != nil {
			log.Fatal("fitmatch: ", err)
		}
	}
}

func load(file string) (*benchmark, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b := &benchmark{name: strings.TrimSuffix(filepath.Base(file), ".jsonl")}
	b.same, b.pairs = make([][]bool, blocks), make([][]match.Pair, blocks)
	random := rand.New(rand.NewPCG(1, 2))
	lines := json.NewDecoder(bufio.NewReader(in))
	for {
		var line struct {
			A, B match.Fields
			Same bool
		}
		if err := lines.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		at := random.IntN(blocks)
		b.pairs[at] = append(b.pairs[at], match.Pair{A: line.A, B: line.B})
		b.same[at] = append(b.same[at], line.Same)
	}
	for _, pairs := range b.pairs {
		b.blocks = append(b.blocks, match.Compare(pairs))
	}
	return b, nil
}

func (b *benchmark) find(w match.Weights) {
	for _, block := range b.blocks {
		w.FindBetter(block)
	}
}

// measure is precision, recall and F1 of "same".
func (b *benchmark) measure(w match.Weights) (precision, recall, f1 float64) {
	b.find(w)
	said, right, there := 0.0, 0.0, 0.0
	for i, block := range b.blocks {
		for j, c := range block {
			same := w.Sum(c.Values) >= 0
			said, there = said+count(same), there+count(b.same[i][j])
			right += count(same && b.same[i][j])
		}
	}
	return right / max(said, 1), right / max(there, 1), 2 * right / max(said+there, 1)
}

func count(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// report prints how each benchmark is judged by weights fitted without it, and with it.
func report(all []*benchmark, worst string) {
	own := fit(all)
	fmt.Print("Weights that were fitted without any pair of the benchmark, and those of all:\n\n" +
		"| benchmark | pairs | left out: precision | recall | F1 | all: F1 |\n|---|---|---|---|---|---|\n")
	sum, sumOwn := 0.0, 0.0
	for i, b := range all {
		pairs := 0
		for _, block := range b.blocks {
			pairs += len(block)
		}
		_, _, f1Own := b.measure(own)
		without := fit(append(append([]*benchmark{}, all[:i]...), all[i+1:]...))
		precision, recall, f1 := b.measure(without)
		fmt.Printf("| %s | %d | %.3f | %.3f | %.3f | %.3f |\n", b.name, pairs, precision, recall, f1, f1Own)
		sum, sumOwn = sum+f1, sumOwn+f1Own
		if b.name == worst {
			b.show(without)
		}
	}
	fmt.Printf("| mean | | | | %.3f | %.3f |\n", sum/float64(len(all)), sumOwn/float64(len(all)))
}

func (b *benchmark) show(w match.Weights) {
	for i, block := range b.blocks {
		for j, c := range block {
			sum := w.Sum(c.Values)
			if (sum >= 0) == b.same[i][j] {
				continue
			}
			fmt.Printf("%+.1f but same is %v\n  %v\n  %v\n ", sum, b.same[i][j], b.pairs[i][j].A, b.pairs[i][j].B)
			for k, value := range c.Values {
				if value != 0 {
					fmt.Printf(" %s %.2f", match.Table[k].Name, value)
				}
			}
			fmt.Println()
		}
	}
}

func encode(w match.Weights) []byte {
	named := map[string]float64{"one": math.Round(w.One*1000) / 1000}
	for i, sign := range match.Table {
		named[sign.Name] = math.Round(w.Signs[i]*1000) / 1000
	}
	text, _ := json.MarshalIndent(named, "", "  ")
	return append(text, '\n')
}
