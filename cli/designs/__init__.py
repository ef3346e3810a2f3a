"""What ``laycalc design`` finds for people: a module for each thing that is designed."""
