"""One rule, one short file. `gradlint.rule.all_rules` finds them."""
