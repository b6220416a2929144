// Says what the forge's official client knows, as JSON on standard output. The client is a module dependency:
// nothing of it stands here.
//
//	operations  every method of the client, called once with everything filled in: the request it then makes
//	records     the answers of a forge that the client's own tests play back
//	drive       makes the calls of standard input, a line each, and says what became of them
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const module = "gitlab.com/gitlab-org/api/client-go/v2"

func main() {
	commands := map[string]func() (any, error){"operations": operations, "records": records, "drive": drive}
	name := strings.Join(os.Args[1:], " ")
	command, known := commands[name]
	if !known {
		fail(fmt.Errorf("%q is no command", name))
	}
	value, err := command()
	if err != nil {
		fail(err)
	}
	if value == nil {
		return
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if err := out.Encode(value); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// source says where the module registry put the client, and which version it is.
func source() (dir, version string, err error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}\t{{.Version}}", module).Output()
	if err != nil {
		return "", "", fmt.Errorf("go list: %w", err)
	}
	dir, version, _ = strings.Cut(strings.TrimSpace(string(out)), "\t")
	return dir, version, nil
}
