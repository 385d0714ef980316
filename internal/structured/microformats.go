package structured

func readMicroformats(p *page, g *Graph) {}
