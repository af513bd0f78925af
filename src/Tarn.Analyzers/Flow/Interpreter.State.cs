using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>Variables and resources: what is read, assigned, used, shared, given back.</content>
internal sealed partial class Interpreter
{
    private Value Read(IOperation operation, ISymbol symbol, FlowState state)
    {
        int index = _variables.IndexOf(operation);
        if (index < 0)
        {
            return Value.Unknown;
        }

        Value value = state.GetVariable(index);
        if (value.Kind is ValueKind.Unknown or ValueKind.NotNull && _known.IsBuffer(operation.Type) && _resources.IndexOf(index, operation, symbol.Name, _known.IsPooled(operation.Type)) is >= 0 and int resource)
        {
            Begin(resource, ResourceStatus.Foreign, state);
            state.SetResource(resource, state.GetResource(resource) with { IsNonNull = value.Kind == ValueKind.NotNull });
            _contents.RecordForeign(resource, symbol, state);
            value = Value.Whole(resource);
            state.SetVariable(index, value);
        }

        return value;
    }

    /// <summary>Visits what an assignment's target is made of: not the variable itself, which is not read.</summary>
    private void VisitTarget(IOperation target, FlowState state)
    {
        if (_variables.IndexOf(target) < 0 && target is not ILocalReferenceOperation and not IParameterReferenceOperation)
        {
            foreach (IOperation child in target.ChildOperations)
            {
                Use(child, Visit(child, state), state);
            }
        }
    }

    private void Assign(IOperation assigned, Value value, FlowState state)
    {
        IOperation target = _variables.Resolve(assigned);
        if (_variables.IsCaptured(target) || IsCallers(target))
        {
            Share(value, state);
        }

        int index = _variables.IndexOf(target);
        if (index < 0)
        {
            _oversized.RecordMeasured(value);
            Share(value, state);
            if (value.Kind == ValueKind.Work && target is not IDiscardOperation)
            {
                state.Pending &= ~value.Resources;
            }

            Wrap(target, value, state);
            Collect(target, value, state);
            return;
        }

        Drop(index, value, state);
        Overwrite(target, index, value, state);
        Store(target, index, value);
        state.SetVariable(index, value);
        _conditions.Forget(target, state);
        if (target is IFieldReferenceOperation or IPropertyReferenceOperation)
        {
            _oversized.RecordMeasured(value);
            Share(value, state);
            if (value.Kind == ValueKind.Work)
            {
                state.Pending &= ~value.Resources;
            }
        }
    }

    private void AssignUnknown(IOperation target, FlowState state)
    {
        if (target is ITupleOperation tuple)
        {
            foreach (IOperation element in tuple.Elements)
            {
                AssignUnknown(element, state);
            }
        }
        else if (target is IDeclarationExpressionOperation declaration)
        {
            AssignUnknown(declaration.Expression, state);
        }
        else
        {
            Assign(target, Value.Unknown, state);
        }
    }

    /// <summary>A value's buffer is looked into.</summary>
    private void Use(IOperation operation, Value value, FlowState state)
    {
        if (!value.IsOfResource || (value.Kind == ValueKind.Whole && _known.IsPooled(operation.Type)))
        {
            return;
        }

        int index = value.Resource;
        ResourceState resource = state.GetResource(index);
        if (resource.Status == ResourceStatus.Misused)
        {
            return;
        }

        Finding finding = new(FindingKind.UseAfterReturn, operation.Syntax, resource.IsReturned ? _origins.SiteOf(resource.Origin) : null, _resources[index].Name);
        Judge(finding, index, resource, state);
    }

    private void GiveBack(IInvocationOperation operation, IArgumentOperation argument, Value value, FlowState state)
    {
        if (argument.Value is IConversionOperation { Operand.Type: IArrayTypeSymbol { ElementType: var element }, Type: IArrayTypeSymbol { ElementType: var expected } }
            && !SymbolEqualityComparer.Default.Equals(element, expected))
        {
            // A pool hands out arrays of just its element type: one that is declared to be of a derived type is none of its own.
            _evidence.Observe(new Finding(FindingKind.WrongPool, operation.Syntax, null, argument.Value.Syntax.ToString()), isBad: true);
        }

        if (value.Kind == ValueKind.Fresh)
        {
            _evidence.Observe(new Finding(FindingKind.NotRented, operation.Syntax, null, argument.Value.Syntax.ToString()), isBad: true);
            return;
        }

        if (value.Kind != ValueKind.Whole)
        {
            // Which it is cannot be seen: each may be the one.
            Share(new Value(ValueKind.Part, ulong.MaxValue), state);
            _evidence.ObserveValidReturn(operation.Syntax);
            return;
        }

        int index = value.Resource;
        ResourceState resource = state.GetResource(index);
        ResourceInfo info = _resources[index];
        if (resource.IsReturned)
        {
            Judge(new Finding(FindingKind.DoubleReturn, operation.Syntax, _origins.SiteOf(resource.Origin), info.Name), index, resource, state);
            return;
        }

        if (resource.Status == ResourceStatus.Misused)
        {
            _origins.Report(resource.Origin, new Finding(FindingKind.DoubleReturn, operation.Syntax, _origins.SiteOf(resource.Origin), info.Name));
            state.Forget(index);
            return;
        }

        _evidence.ObserveValidReturn(operation.Syntax);
        _exits.ReturnedBy(operation.Syntax, info);
        NoteFieldReturn(argument.Value, index);
        LookAtPending(operation, index, info, state);
        _contents.CheckReturned(operation, argument, index, state);
        if (resource.IsInDoubt && operation.Syntax.FirstAncestorOrSelf<FinallyClauseSyntax>() is not null)
        {
            _evidence.Report(new Finding(FindingKind.ReturnedInFinally, operation.Syntax, info.Site, info.Name));
        }

        if (resource.Status == ResourceStatus.Rented && info.Rent is { Pool: { } rented } && KnownSymbols.IdentityOf(operation.Instance) is { } pool && !rented.Equals(pool))
        {
            _evidence.Observe(new Finding(FindingKind.WrongPool, operation.Syntax, info.Site, info.Name), isBad: true);
        }

        state.SetResource(index, resource with { Status = ResourceStatus.Returned, Origin = _origins.AtReturn(index, operation.Syntax), HasLooped = false });
    }

    private void GiveBackOwner(IInvocationOperation operation, Value value, FlowState state)
    {
        if (value.Kind != ValueKind.Whole)
        {
            return;
        }

        // Disposing twice is allowed; using in between is not.
        int index = value.Resource;
        ResourceState resource = state.GetResource(index);
        if (resource is { IsReturned: false, Status: not ResourceStatus.Misused })
        {
            _exits.ReturnedBy(operation.Syntax, _resources[index]);
            LookAtPending(operation, index, _resources[index], state);
            _contents.CheckDisposed(operation, index, state);
            state.SetResource(index, resource with { Status = ResourceStatus.Returned, Origin = _origins.AtReturn(index, operation.Syntax), HasLooped = false });
        }
    }

    private void LookAtPending(IInvocationOperation operation, int index, ResourceInfo info, FlowState state)
    {
        // What the method returns is looked at when it is left, at the return statement itself.
        bool isResult = state.Result.Kind == ValueKind.Work && state.Result.Has(index);
        if (!isResult && !state.IsThrown)
        {
            _evidence.Observe(new Finding(FindingKind.ReturnedWhileInUse, operation.Syntax, info.Site, info.Name), state.IsPending(index));
        }
    }

    /// <summary>Misuse if the resource is returned on this path: noted, and no more is said of it on this path.</summary>
    private void Judge(Finding finding, int index, ResourceState resource, FlowState state)
    {
        _evidence.Observe(finding, resource.IsReturned, _resources[index]);
        if (resource.IsReturned)
        {
            _origins.Report(resource.Origin, finding);
            bool mayBeReturnedAgain = finding.Kind == FindingKind.UseAfterReturn && (resource.HasLooped || _origins.IsRestart(resource.Origin));
            if (mayBeReturnedAgain)
            {
                state.SetResource(index, resource with { Status = ResourceStatus.Misused });
            }
            else
            {
                state.Forget(index);
            }
        }
    }

    /// <summary>Somebody else may hold it from now on.</summary>
    private static void Share(Value value, FlowState state)
    {
        if (value.Kind == ValueKind.Length)
        {
            return;
        }

        state.Change(value.Resources, static resource => resource with { IsEscaped = true, IsHandedOver = true, IsOrphaned = false });
    }

    /// <summary>Code that is not seen works with it, and may keep it.</summary>
    private void Lend(Value value, IParameterSymbol borrower, FlowState state)
    {
        ulong bit = _borrowers.BitOf(borrower.OriginalDefinition);
        state.Change(
            value.Resources,
            resource => resource with { Borrowers = resource.Borrowers | bit, IsEscaped = resource.IsEscaped || bit == 0, IsHandedOver = true, IsOrphaned = false });
    }

    /// <summary>It is somebody else's from now on.</summary>
    private static void End(Value value, FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            if (value.Has(i))
            {
                state.Forget(i);
                state.SetResource(i, new ResourceState(ResourceStatus.Transferred));
            }
        }
    }

    /// <summary>A resource is there anew; what was known of it was of another buffer.</summary>
    private void Begin(int resource, ResourceStatus status, FlowState state)
    {
        ResourceState before = state.GetResource(resource);
        if (before.IsReturned)
        {
            _origins.EndClean(before.Origin);
        }

        if (before.Status != ResourceStatus.Untracked && _resources[resource].Rent is not null)
        {
            // A loop rents again: what became of the one before is what an exit would ask. The variable that gets the new one loses the old one.
            bool isHeld = _variables.AreHolding(resource, state, _resources.TargetsOf(resource));
            _exits.Leave(~resource, [new Departure(_resources[resource], _resources[resource], !isHeld && IsLost(resource, state), before.IsReturned, before.Borrowers)]);
        }

        state.Forget(resource);
        state.SetResource(resource, new ResourceState(status) { IsEscaped = status == ResourceStatus.Foreign });
    }

    private void ForgetFields(FlowState state)
    {
        foreach (int field in _variables.Fields)
        {
            if (!IsOnlyOurs(field, state.GetVariable(field)))
            {
                state.SetVariable(field, Value.Unknown);
            }
        }
    }
}
