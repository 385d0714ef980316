package store_test

import (
	"testing"

	"curlew/internal/data/store/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t)
}
