using System;
using System.Collections.Generic;

namespace Tarn.Analyzers.Flow;

/// <summary>What is known at a point of one path: values of variables, where resources are, what conditions were.</summary>
/// <remarks>Changed in place by whoever owns it; a copy is made where paths part. Variables, resources and conditions are numbered by the method's tables.</remarks>
internal sealed class FlowState : IEquatable<FlowState>
{
    private Value[] _variables;
    private ResourceState[] _resources;
    private bool?[] _facts;

    internal FlowState()
    {
        _variables = [];
        _resources = [];
        _facts = [];
    }

    private FlowState(FlowState other)
    {
        _variables = (Value[])other._variables.Clone();
        _resources = (ResourceState[])other._resources.Clone();
        _facts = (bool?[])other._facts.Clone();
        Continuation = other.Continuation;
        Pending = other.Pending;
        Doubtful = other.Doubtful;
        Result = other.Result;
        Exit = other.Exit;
    }

    /// <summary>Where the path goes on behind the finally it is in.</summary>
    internal Continuation? Continuation { get; set; }

    /// <summary>Whether the path is in a finally that an exception goes through.</summary>
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

    /// <summary>A bit for each resource that work uses which was started and not awaited.</summary>
    internal ulong Pending { get; set; }

    /// <summary>Of these, those on which work may go on although the wait for it ended: it writes, and can be cancelled or left.</summary>
    internal ulong Doubtful { get; set; }

    /// <summary>What the method returns, from its return statement on.</summary>
    internal Value Result { get; set; }

    /// <summary>The block at which the path turned to the method's end.</summary>
    internal int Exit { get; set; }

    internal int VariableCount => _variables.Length;

    internal int ResourceCount => _resources.Length;

    internal FlowState Copy() => new(this);

    internal Value GetVariable(int index) => index < _variables.Length ? _variables[index] : Value.Unknown;

    internal void SetVariable(int index, Value value) => Set(ref _variables, index, value);

    /// <summary>All variables that hold a value hold another from now on: it is known to be that.</summary>
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

    internal ResourceState GetResource(int index) => index < _resources.Length ? _resources[index] : default;

    internal void SetResource(int index, ResourceState state) => Set(ref _resources, index, state);

    /// <summary>Changes what is known of each of some resources, told by their bits.</summary>
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
        if (value.Kind != ValueKind.Length)
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
        GetResource(resource) is { Status: ResourceStatus.Rented, IsEscaped: false } && !IsPending(resource);

    /// <summary>Settles the work on some resources, told by their bits: it is awaited, or not followed any further.</summary>
    internal void SettleWork(ulong resources) => Pending &= ~resources;

    internal bool IsPending(int resource) => (Pending & (1UL << resource)) != 0;

    internal bool? GetFact(int index) => index < _facts.Length ? _facts[index] : null;

    internal void SetFact(int index, bool? value) => Set(ref _facts, index, value);

    /// <summary>Whoever refers to a resource refers to nothing known from now on.</summary>
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
        && Result == other.Result
        && Exit == other.Exit
        && AreEqual(_variables, other._variables)
        && AreEqual(_resources, other._resources)
        && AreEqual(_facts, other._facts);

    public override bool Equals(object? obj) => Equals(obj as FlowState);

    public override int GetHashCode()
    {
        int hash = (int)Pending;
        hash = Add(hash, _variables);
        hash = Add(hash, _resources);
        return Add(hash, _facts);
    }

    private static void Set<T>(ref T[] values, int index, T value)
    {
        if (index >= values.Length)
        {
            if (EqualityComparer<T>.Default.Equals(value, default!))
            {
                return;
            }

            Array.Resize(ref values, index + 1);
        }

        values[index] = value;
    }

    /// <summary>What is not there is the default.</summary>
    private static bool AreEqual<T>(T[] first, T[] second)
    {
        for (int i = Math.Max(first.Length, second.Length) - 1; i >= 0; i--)
        {
            T one = i < first.Length ? first[i] : default!;
            T other = i < second.Length ? second[i] : default!;
            if (!EqualityComparer<T>.Default.Equals(one, other))
            {
                return false;
            }
        }

        return true;
    }

    private static int Add<T>(int hash, T[] values)
    {
        for (int i = 0; i < values.Length; i++)
        {
            if (!EqualityComparer<T>.Default.Equals(values[i], default!))
            {
                hash = unchecked((hash * 31) + (i * 17) + values[i]!.GetHashCode());
            }
        }

        return hash;
    }
}
