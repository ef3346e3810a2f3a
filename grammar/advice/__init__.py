"""From an error of the algebra to a diagnostic: guilty modes, evidence, repairs that were tried. No text is parsed."""
