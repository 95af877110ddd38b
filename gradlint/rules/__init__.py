"""One rule, one short file. `gradlint.rules.support.rule.all_rules` finds them."""
