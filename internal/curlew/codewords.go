package curlew

import "strings"

// codeWords are the words for codes that say too little with spaces for their underscores.
var codeWords = map[string]string{
	string(EntityAppeared): "appeared", string(EntityChanged): "changed", string(EntityDisappeared): "gone",
	string(EntityWentStale): "stale", string(PositionChanged): "moved", string(WatchFailed): "watch failed",
	string(SkipNoChange): "not published", string(PublishChanged): "published", string(PublishForced): "published on request",
	string(RepublishForced): "same content", string(CandidateReanalyzing): "analyzing again",
}

// CodeWords is how people read a code of a closed set: a state, a decision, an outcome, a kind of change.
// Tables, pages and messages show it; JSON has the code.
func CodeWords[T ~string](code T) string {
	if known, ok := codeWords[string(code)]; ok {
		return known
	}
	return strings.ReplaceAll(string(code), "_", " ")
}

// readFrom are the ways of reading a page, after "read from".
var readFrom = map[string]string{
	string(TierStructured): "structured data", string(TierAPI): "an API or feed", string(TierBundle): "the page's script state",
	string(TierHTML): "the page's HTML", string(TierLLM): "a model",
}

// ReadFrom is a tier as people read it after "read from".
func ReadFrom[T ~string](way T) string {
	if known, ok := readFrom[string(way)]; ok {
		return known
	}
	return CodeWords(way)
}
