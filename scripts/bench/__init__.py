"""The benchmark: our build and its peers over the same lake, on one machine, in one run."""
