"""Tests of repairs: the edits, the layouts they meet, and the writing."""
