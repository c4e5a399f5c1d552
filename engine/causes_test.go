package engine

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// Causes of false alarms and of misses that public projects showed, with labelled
// contracts of oracle/testdata that have each: hits, which are reported, and misses, which
// only look alike. TestLabelled fuzzes all of them. That one place is one finding is a
// matter of reports: see TestGroups of engine/report.
var causes = []struct {
	cause        string
	hits, misses []string
}{
	{"a wrap that is checked afterwards",
		[]string{"overflow/hit_ordered_08", "overflow/hit_elsewhere_08", "overflow/hit_weakly_05", "overflow/hit_token", "overflow/hit_reverting_08"},
		[]string{"overflow/miss_afterwards_08", "overflow/miss_delta_05", "overflow/miss_saturating", "overflow/miss_checked_above_08", "overflow/miss_careful"}},
	{"a term that its owner chooses",
		[]string{"overflow/hit_term_minimum_05", "overflow/hit_term_counts_05", "overflow/hit_term_longer_05"},
		[]string{"overflow/miss_term_05", "overflow/miss_term_08", "overflow/miss_term_created_05"}},
	{"assertions in place of the compiler's checks",
		[]string{"assertion/hit_limit_05", "assertion/hit_rounded_05", "assertion/hit_sum_06"},
		[]string{"assertion/miss_safemath_04", "assertion/miss_safemath_05", "assertion/miss_safemath_06"}},
	{"recipients that others name by a hash",
		[]string{"ether-leak/hit_claim_05", "ether-leak/hit_gift_08", "ether-leak/hit_ticket_08"},
		[]string{"ether-leak/miss_claim_05", "ether-leak/miss_claim_08", "ether-leak/miss_ticket_08"}},
	{"a truncation that is intended",
		[]string{"overflow/hit_halves_08", "overflow/hit_narrow", "overflow/hit_distance_06"},
		[]string{"overflow/miss_parts_08", "overflow/miss_hashing", "overflow/miss_ring_08", "overflow/miss_clock"}},
	{"whose funds the time of a block decides about",
		[]string{"timestamp/hit_random", "timestamp/hit_roulette", "timestamp/hit_window"},
		[]string{"timestamp/miss_lock", "timestamp/miss_auction", "timestamp/miss_timelock_05", "timestamp/miss_vesting"}},
	{"contracts that a deployment wires",
		[]string{"assertion/hit_wired_08", "assertion/hit_unwired_05", "assertion/hit_stored_08"},
		[]string{"assertion/miss_wired_05", "assertion/miss_wired_08", "assertion/miss_registry_08"}},
	{"what only an owner can ask for",
		[]string{"overflow/hit_anybody_05", "overflow/hit_rate_05", "ether-leak/hit_owner_05"},
		[]string{"overflow/miss_file_06", "overflow/miss_owner_if_05", "overflow/miss_granted_06", "assertion/miss_owner_06"}},
	{"a decision of the deployer",
		[]string{"reentrancy/hit_service_08", "overflow/hit_feed_05", "delegatecall/hit_setter"},
		[]string{"reentrancy/miss_service_08", "reentrancy/miss_appointed_08", "overflow/miss_feed_05", "panic/miss_guardian_08"}},
	{"an initializer that anybody can call first",
		[]string{"delegatecall/hit_again_08", "delegatecall/hit_each_06", "delegatecall/hit_upgrade_05", "selfdestruct/hit_init"},
		[]string{"delegatecall/miss_initializer_06", "delegatecall/miss_setup_08", "dos-failed-call/miss_initializer_08", "ether-leak/miss_initialized_08"}},
	{"a place in a library of errors",
		[]string{"assertion/hit_error_library", "panic/hit_error_library", "requirement/hit_error_library"},
		[]string{"assertion/miss_error_library", "panic/miss_error_library", "requirement/miss_error_library"}},
	{"recipients that a deployment fixes",
		[]string{"unchecked-call/hit_fixed_04", "unchecked-call/hit_immutable_08", "unchecked-call/hit_owner_05"},
		[]string{"unchecked-call/miss_fixed_05", "unchecked-call/miss_immutable_08", "unchecked-call/miss_constant_08"}},
	{"collaborators that are set later",
		[]string{"reentrancy/hit_setter_04", "reentrancy/hit_address_08", "reentrancy/hit_once_05"},
		[]string{"reentrancy/miss_setter_08", "reentrancy/miss_appointed_08", "dos-failed-call/miss_once_08"}},
	{"authority by tx.origin",
		[]string{"tx-origin/hit_owner_04", "tx-origin/hit_modifier_08", "tx-origin/hit_list_05"},
		[]string{"tx-origin/miss_log_05", "tx-origin/miss_people_08", "tx-origin/miss_view_04"}},
	{"an owner that anybody can become",
		[]string{"open-owner/hit_setter_04", "open-owner/hit_getter_08", "open-owner/hit_name_05"},
		[]string{"open-owner/miss_owned_08", "open-owner/miss_throne_05", "open-owner/miss_authority_08"}},
	{"tokens that others paid, and nobody else",
		[]string{"token-leak/hit_locker_08", "token-leak/hit_rescue_08", "token-leak/hit_from_08"},
		[]string{"token-leak/miss_surplus_08", "token-leak/miss_owner_08", "token-leak/miss_payroll_08"}},
	{"loops that grow with what anybody adds",
		[]string{"unbounded-loop/hit_members_05", "unbounded-loop/hit_count_04", "unbounded-loop/hit_delete_08"},
		[]string{"unbounded-loop/miss_bounded_04", "unbounded-loop/miss_limited_05", "unbounded-loop/miss_manager_08"}},
}

// minLabelled is how many hits and misses each cause has at least.
const minLabelled = 3

// Each cause has hits whose labels demand a finding of their oracle, and misses without
// such a label.
func TestCausesAreLabelled(t *testing.T) {
	for _, c := range causes {
		for kind, files := range map[string][]string{"hit": c.hits, "miss": c.misses} {
			slices.Sort(files)
			if n := len(slices.Compact(files)); n < minLabelled {
				t.Errorf("%s: %d %s contracts, want %d", c.cause, n, kind, minLabelled)
			}
			for _, file := range files {
				text, err := os.ReadFile("oracle/testdata/" + file + ".sol")
				if err != nil {
					t.Error(err)
					continue
				}
				demanded := false
				for label, expected := range labels(string(text)) {
					demanded = demanded || expected && strings.HasPrefix(label, path.Dir(file)+" ")
				}
				if !strings.HasPrefix(path.Base(file), kind+"_") || demanded != (kind == "hit") {
					t.Errorf("%s: %s is no %s: a finding is demanded: %v", c.cause, file, kind, demanded)
				}
			}
		}
	}
}
