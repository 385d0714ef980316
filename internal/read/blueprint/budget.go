package blueprint

// What one Apply may cost at most, so that no page and no rule takes long.
const (
	MostRecords   = 10_000
	maxSteps      = 12_000_000 // nodes looked at: about a second
	maxText       = 64 << 20   // bytes of text taken
	maxValue      = 200_000    // bytes of one value
	maxRecordText = 50_000     // bytes of a record's own text
	maxMany       = 1_000      // values of one field
	textPerStep   = 8          // bytes of text that cost as much as looking at a node
)

// budget is what is left while one page is read.
type budget struct {
	steps int
	text  int
}

func newBudget() *budget { return &budget{steps: maxSteps, text: maxText} }

// spend takes steps and says whether there are any left.
func (b *budget) spend(n int) bool {
	b.steps -= n
	return b.steps > 0
}

// read takes text and says whether there is any left.
func (b *budget) read(n int) bool {
	b.text -= n
	return b.text > 0
}

// exhausted says in words what ran out; "" when nothing did.
func (b *budget) exhausted() string {
	switch {
	case b.steps <= 0:
		return "the page is too large for these rules: reading stopped after a while"
	case b.text <= 0:
		return "the records hold too much text: reading stopped after a while"
	}
	return ""
}
