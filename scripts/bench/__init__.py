"""The benchmark: our build and its peers on the same lake, on one machine, in one run."""
