using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what the result of a call tells about a buffer that the call may have handed out or taken.</summary>
internal sealed class OutcomeTable
{
    private readonly List<Outcome> _outcomes = [];
    private readonly Dictionary<(SyntaxNode Site, int Of), int> _indices = [];

    /// <summary>Records what the result of a call tells.</summary>
    internal void Add(SyntaxNode call, Outcome outcome)
    {
        if (!_indices.ContainsKey((call, -1)))
        {
            Add(call, -1, outcome);
        }
    }

    /// <summary>Returns the result of a call; an unknown value if it tells nothing.</summary>
    internal Value ResultOf(SyntaxNode call) => _indices.TryGetValue((call, -1), out int index) ? ValueOf(index) : Value.Unknown;

    /// <summary>Returns the resource that a call may have handed out, as a bit; 0 if there is none.</summary>
    internal ulong HandedOutBy(SyntaxNode call) =>
        _indices.TryGetValue((call, -1), out int index) && _outcomes[index] is { IsOffered: false } outcome ? 1UL << outcome.Resource : 0;

    /// <summary>Returns whether a result is not another one.</summary>
    internal Value Not(SyntaxNode site, Value result) =>
        Derive(site, result, static (key, answer) => key is bool given && given != answer);

    /// <summary>Returns whether a result is a constant.</summary>
    internal Value Compare(SyntaxNode site, Value result, object constant, bool isEqual) =>
        Derive(site, result, (key, answer) => (key.Equals(constant) == isEqual) == answer);

    /// <summary>Assumes that a result is true or false; returns false if it cannot be.</summary>
    internal bool TryAssume(Value result, bool answer, FlowState state)
    {
        Outcome outcome = _outcomes[result.Outcome];
        if (!outcome.Has.TryGetValue(answer, out bool? has))
        {
            return false;
        }

        if (state.GetResource(outcome.Resource) is not { Status: ResourceStatus.Rented } resource)
        {
            return true;
        }

        if (outcome.IsOffered)
        {
            state.SetResource(
                outcome.Resource,
                has == true ? resource with { IsOffered = false } : resource with { IsOffered = false, IsEscaped = true });
        }
        else if (has == true)
        {
            state.SetResource(outcome.Resource, resource with { IsNonNull = true });
        }
        else
        {
            state.Forget(outcome.Resource);
        }

        return true;
    }

    /// <summary>Returns a condition on a result: for each answer, what the results tell that give it.</summary>
    private Value Derive(SyntaxNode site, Value result, System.Func<object, bool, bool> gives)
    {
        if (!_indices.TryGetValue((site, result.Outcome), out int index))
        {
            Outcome outcome = _outcomes[result.Outcome];
            Dictionary<object, bool?> answers = [];
            foreach (bool answer in new[] { true, false })
            {
                bool?[] all = [.. outcome.Has.Where(one => gives(one.Key, answer)).Select(static one => one.Value).Distinct()];
                if (all.Length > 0)
                {
                    answers[answer] = all.Length == 1 ? all[0] : null;
                }
            }

            index = Add(site, result.Outcome, outcome with { Has = answers });
        }

        return ValueOf(index);
    }

    private int Add(SyntaxNode site, int of, Outcome outcome)
    {
        _outcomes.Add(outcome);
        return _indices[(site, of)] = _outcomes.Count - 1;
    }

    private Value ValueOf(int index)
    {
        Outcome outcome = _outcomes[index];
        return new Value(ValueKind.Outcome, 1UL << outcome.Resource) { Outcome = index };
    }
}
