package induce

import (
	"curlew/internal/blueprint"
	"curlew/internal/curlew"
	"curlew/internal/dom"
)

func fromLists(schema curlew.SchemaName, pages []Known, sheets map[*dom.Document]*sheet) (*blueprint.Blueprint, Proof, error) {
	return nil, Proof{}, nil
}
