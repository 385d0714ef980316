package egress_test

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
)

func ExampleClient_Check() {
	client := egress.New(egress.Policy{})
	defer client.Close()
	for _, url := range []string{"http://169.254.169.254/latest/", "http://127.1/", "file:///etc/passwd", "http://8.8.8.8:6379/"} {
		fault := curlew.AsFault(client.Check(context.Background(), url))
		fmt.Println(fault.Code+":", fault.Sentence)
	}
	// Output:
	// address_forbidden: 169.254.169.254 is not public, so it is not fetched; the operator can allow it with egress.allow
	// url_refused: the URL "http://127.1/" has a host that is a number but no plain IPv4 address
	// scheme_forbidden: the URL "file:///etc/passwd" has the scheme "file"; only http and https are fetched
	// port_forbidden: this port of 8.8.8.8 is not allowed; the operator can allow it with egress.ports
}
