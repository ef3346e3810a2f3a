"""The kinds of design tasks, a file each: what lies in this folder is answered."""
