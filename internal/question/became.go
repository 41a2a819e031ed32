package question

import "strings"

// roles are what a part of a question is where it is neither a lever nor an outcome by its name, see [Used.As].
var roles = map[string][2]string{
	"change": {"which way it changes", "变化的方向"}, "outcome": {"what is watched", "观察的指标"}, "value": {"a number", "数值"},
	"time": {"when, and for how long", "时间"}, "lever": {"what changes", "改变的内容"}, "to": {"the value after the change", "变化后的值"},
	"from": {"the value before the change", "变化前的值"}, "by": {"by how much", "变化的幅度"}, "group": {"who is meant", "所指的人群"},
	"what it is on": {"what it concerns", "所涉及的对象"}, "place": {"the economy", "所指的经济体"},
	"horizon": {"how far to look ahead", "观察多久"}, "measure": {"what the number is measured in", "数值的单位"},
	"payment": {"a payment", "发放的钱"}, "amount": {"an amount", "金额"}, "held": {"held as it is", "保持不变"},
	"fixed": {"held as it is", "保持不变"}, "left as it is": {"left as it is", "保持不变"}, "condition": {"the condition", "条件"},
	"named before": {"named before", "前文提到的"}, "industry": {"the industry", "行业"}, "financing": {"who pays for it", "资金来源"},
	"phased in": {"step by step", "分步实施"}, "gradually": {"step by step", "分步实施"}, "dose": {"one of several values", "若干取值之一"},
	"doses": {"several values, an arm each", "若干取值，各为一组"}, "control": {"what it is compared with", "对照"},
	"baseline": {"what it is compared with", "对照"}, "end of it": {"brought to an end", "取消"}, "pool": {"all that is paid out", "发放的总额"},
	"as the package is": {"as the policy is defined", "按该政策的定义"}, "the reason": {"why it is asked", "提问的原因"},
	"story": {"how it comes about", "事情的经过"}, "topic": {"what it is about", "话题"}, "alternative": {"the alternative", "另一方案"},
	"asked about": {"what is asked", "所问的内容"}, "aside": {"said in passing", "附带提及"},
	"a limit": {"an upper limit", "上限"}, "a floor": {"a lower limit", "下限"},
}

// Beyond says why a part of a question, see [Used.As], is about something that no experiment can tell of; ok is false of what is
// not. A place is beyond where the question is out of scope, else it is the economy that is meant.
func Beyond(as, language string, status Status) (why string, ok bool) {
	subject, ok := foreignSubjects[as]
	if !ok || as == "place" && status != OutOfScope {
		return "", false
	}
	return either(language, subject[0], subject[1]), true
}

// InWords says what a part of a question became, see [Used.As]: a role, or one or several levers by their labels.
// What has no words stays as it is.
func InWords(as, language string) string {
	if role, ok := roles[as]; ok {
		return either(language, role[0], role[1])
	}
	var list []string
	for id := range strings.SplitSeq(as, "/") {
		l, ok := leverOf(id)
		if !ok {
			return as
		}
		list = append(list, l.known(language))
	}
	return strings.Join(list, either(language, " or ", "或"))
}
