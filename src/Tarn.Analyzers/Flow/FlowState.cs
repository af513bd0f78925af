using System;
using System.Collections.Generic;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Holds the known facts at a point of one path: the values of variables, the states of resources, and the results of conditions.
/// </summary>
/// <remarks>
/// The path that owns a state changes it in place; a copy is made where paths fork. The tables of the method number variables, resources
/// and conditions.
/// </remarks>
internal sealed class FlowState : IEquatable<FlowState>
{
    private SharedArray<Value> _variables;
    private SharedArray<ResourceState> _resources;
    private SharedArray<bool?> _facts;

    internal FlowState()
    {
    }

    private FlowState(FlowState other)
    {
        _variables = other._variables.Share();
        _resources = other._resources.Share();
        _facts = other._facts.Share();
        Continuation = other.Continuation;
        Pending = other.Pending;
        Doubtful = other.Doubtful;
        Started = other.Started;
        Result = other.Result;
        Exit = other.Exit;
        LeavesByThrow = other.LeavesByThrow;
    }

    /// <summary>Gets or sets where the path continues after the finally block it is in.</summary>
    internal Continuation? Continuation { get; set; }

    /// <summary>Gets a value indicating whether the path is in a finally block that an exception runs through.</summary>
    internal bool IsThrown
    {
        get
        {
            Continuation? last = Continuation;
            while (last?.Inner is { } inner)
            {
                last = inner;
            }

            return last is { Target: null };
        }
    }

    /// <summary>Gets or sets the resources that pending work uses, a bit for each.</summary>
    internal ulong Pending { get; set; }

    /// <summary>Gets or sets those of them that a lambda on another thread uses.</summary>
    internal ulong Started { get; set; }

    /// <summary>Gets or sets those of them whose work may continue after the wait for it ended: the wait has a limit.</summary>
    internal ulong Doubtful { get; set; }

    /// <summary>Gets or sets the result of the method, from its return statement on.</summary>
    internal Value Result { get; set; }

    /// <summary>Gets or sets the block from which the path went to the end of the method.</summary>
    internal int Exit { get; set; }

    /// <summary>Gets or sets a value indicating whether it went there by a throw statement that a reader sees.</summary>
    internal bool LeavesByThrow { get; set; }

    /// <summary>Gets or sets a value indicating whether the path ended at a call that never returns.</summary>
    internal bool HasEnded { get; set; }

    internal int VariableCount => _variables.Length;

    internal int ResourceCount => _resources.Length;

    internal FlowState Copy() => new(this);

    internal Value GetVariable(int index) => _variables[index];

    internal void SetVariable(int index, Value value) => _variables[index] = value;

    /// <summary>Replaces a value in all variables with its newly known value.</summary>
    internal void Replace(Value value, Value known)
    {
        for (int i = 0; i < _variables.Length; i++)
        {
            if (_variables[i] == value)
            {
                _variables[i] = known;
            }
        }
    }

    internal ResourceState GetResource(int index) => _resources[index];

    /// <summary>Gets the resources that were returned, a bit for each.</summary>
    internal ulong Returned
    {
        get
        {
            ulong returned = 0;
            for (int i = 0; i < _resources.Length; i++)
            {
                returned |= _resources[i].IsReturned ? 1UL << i : 0;
            }

            return returned;
        }
    }

    internal void SetResource(int index, ResourceState state) => _resources[index] = state;

    /// <summary>Changes the states of some resources, a bit for each.</summary>
    internal void Change(ulong resources, Func<ResourceState, ResourceState> change)
    {
        for (int i = 0; i < _resources.Length; i++)
        {
            if ((resources & (1UL << i)) != 0)
            {
                _resources[i] = change(_resources[i]);
            }
        }
    }

    /// <summary>Marks the resources of a value as escaped: other code may hold them from now on.</summary>
    internal void Escape(Value value)
    {
        if (value.Kind is not (ValueKind.Length or ValueKind.Outcome))
        {
            Change(value.Resources, static resource => resource with { IsEscaped = true, IsHandedOver = true, IsOrphaned = false });
        }
    }

    /// <summary>Transfers the resources of a value: other code owns them from now on.</summary>
    internal void Transfer(Value value)
    {
        for (int i = 0; i < _resources.Length; i++)
        {
            if (value.Has(i))
            {
                Forget(i);
                SetResource(i, new ResourceState(ResourceStatus.Transferred));
            }
        }
    }

    /// <summary>Returns whether a resource is lost if the path ends: the method alone has it, and no work uses it.</summary>
    internal bool IsLost(int resource) =>
        GetResource(resource) is { Status: ResourceStatus.Rented, IsEscaped: false, IsOffered: false } && !IsPending(resource);

    /// <summary>
    /// Returns this state without doubt about work: an exception that passes the handler of an ended wait comes from the work itself.
    /// </summary>
    internal FlowState WithoutDoubt()
    {
        FlowState settled = Copy();
        settled.Change(ulong.MaxValue, static resource => resource with { IsInDoubt = false });
        return settled;
    }

    /// <summary>Settles the work on some resources, a bit for each: it is awaited, or no longer followed.</summary>
    internal void SettleWork(ulong resources) => Pending &= ~resources;

    internal bool IsPending(int resource) => (Pending & (1UL << resource)) != 0;

    internal bool? GetFact(int index) => _facts[index];

    internal void SetFact(int index, bool? value) => _facts[index] = value;

    /// <summary>Returns whether a variable or the result refers to a resource.</summary>
    internal bool Refers(int resource)
    {
        bool isFound = Result.Has(resource);
        for (int i = 0; i < _variables.Length && !isFound; i++)
        {
            isFound = _variables[i].Has(resource);
        }

        return isFound;
    }

    /// <summary>Forgets all but which resources are returned, and where.</summary>
    internal void KeepLives()
    {
        Pending = Doubtful = Started = 0;
        Exit = 0;
        LeavesByThrow = false;
        _facts = default;
        for (int i = 0; i < _resources.Length; i++)
        {
            ResourceState resource = _resources[i];
            _resources[i] = new ResourceState(resource.Status)
            {
                Origin = resource.Origin,
                HasLooped = resource.HasLooped,
                IsEscaped = resource.IsEscaped,
                IsNonNull = resource.IsNonNull,
            };
        }
    }

    /// <summary>Forgets a resource and the values of variables that refer to it.</summary>
    internal void Forget(int resource)
    {
        ulong bit = 1UL << resource;
        for (int i = 0; i < _variables.Length; i++)
        {
            if ((_variables[i].Resources & bit) != 0)
            {
                _variables[i] = Value.Unknown;
            }
        }

        Pending &= ~bit;
        Doubtful &= ~bit;
        SetResource(resource, default);
    }

    public bool Equals(FlowState? other) =>
        other is not null
        && Equals(Continuation, other.Continuation)
        && Pending == other.Pending
        && Doubtful == other.Doubtful
        && Started == other.Started
        && Result == other.Result
        && Exit == other.Exit
        && LeavesByThrow == other.LeavesByThrow
        && _variables.IsEqualTo(other._variables)
        && _resources.IsEqualTo(other._resources)
        && _facts.IsEqualTo(other._facts);

    public override bool Equals(object? obj) => Equals(obj as FlowState);

    public override int GetHashCode()
    {
        int hash = _variables.AddTo((int)Pending);
        hash = _resources.AddTo(hash);
        return _facts.AddTo(hash);
    }
}
