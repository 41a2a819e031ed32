package tables

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestFirmSizes(t *testing.T) {
	s := countSizes([]int{0, 3, 1, 3, 250, 1, 1})
	if !reflect.DeepEqual(s, FirmSizes{{250, 1}, {3, 2}, {1, 3}}) {
		t.Fatalf("sizes %v", s)
	}
	data, err := json.Marshal(s)
	var read FirmSizes
	if err != nil || string(data) != "[[250,1],[3,2],[1,3]]" || json.Unmarshal(data, &read) != nil || !reflect.DeepEqual(read, s) {
		t.Errorf("JSON %s, read %v, %v", data, read, err)
	}
	sizes, shares := Pooled([]FirmSizes{s, s}).Ranks()
	if !reflect.DeepEqual(sizes, []float64{250, 3, 1}) || !reflect.DeepEqual(shares, []float64{1. / 6, .5, 1}) {
		t.Errorf("ranks %v %v", sizes, shares)
	}
}
