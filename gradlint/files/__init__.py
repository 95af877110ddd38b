"""Files by their bytes alone: walking, ignore files, the prefilter, the cache, processes. Loads no parser."""
