using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what state a resource is in after it is acquired, used, lent or returned, and reports misuse.</summary>
internal sealed class ResourceTransitions(MethodContext context, BufferContents contents, BufferStores stores)
{
    /// <summary>Starts a resource afresh, because earlier facts concern another buffer.</summary>
    internal void Acquire(int index, ResourceStatus status, FlowState state)
    {
        ResourceState before = state.GetResource(index);
        ResourceInfo info = context.Resources[index];
        if (before.IsReturned)
        {
            context.Origins.EndClean(before.Origin);
        }

        if (before.Status != ResourceStatus.Untracked && info.Rent is not null)
        {
            // A loop rents again, which is an exit for the previous buffer: the variable that gets the new one loses the old one.
            bool isHeld = context.Variables.AreHolding(index, state, context.Resources.TargetsOf(index));
            Departure departure = new(info, info, !isHeld && state.IsLost(index), before.IsReturned, before.Borrowers);
            context.Exits.Leave(~index, [departure]);
        }

        state.Forget(index);
        state.SetResource(index, new ResourceState(status) { IsEscaped = status == ResourceStatus.Foreign });
        if (context.Known.HasTarn)
        {
            // What is begun lies in the ring before.
            state.Change(ulong.MaxValue, message => message.Ring == index + 1 ? message with { Ring = 0 } : message);
        }
    }

    /// <summary>Begins a message in a ring; returns its memory.</summary>
    internal Value BeginMessage(int index, int ring, FlowState state)
    {
        Acquire(index, ResourceStatus.Foreign, state);
        state.SetResource(index, state.GetResource(index) with { Ring = ring + 1 });

        // What a message was begun in is not null: it will be disposed where that is asked.
        state.SetResource(ring, state.GetResource(ring) with { IsNonNull = true });
        return new Value(ValueKind.Part, 1UL << index);
    }

    /// <summary>Ends what is begun in a writer or a scope: its memory is moved, or gone.</summary>
    internal void EndMessages(IInvocationOperation call, int ring, FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState message = state.GetResource(i);
            if (message.Ring == ring + 1 && message is { IsReturned: false, Status: not ResourceStatus.Misused })
            {
                MarkReturned(call, i, message, state);
            }
        }
    }

    /// <summary>Uses the buffer of a value: its contents are read or written.</summary>
    internal void Use(IOperation operation, Value value, FlowState state)
    {
        if (!value.IsOfResource
            || (value.Kind == ValueKind.Whole
                && (context.Known.IsPooled(operation.Type) || context.Resources[value.Resource].Kind == BufferKind.Pooled)))
        {
            return;
        }

        int index = value.Resource;
        ResourceState resource = state.GetResource(index);
        if (resource.Status != ResourceStatus.Misused)
        {
            SyntaxNode? returned = resource.IsReturned ? context.Origins.SiteOf(resource.Origin) : null;
            Finding finding = new(FindingKind.UseAfterReturn, operation.Syntax, returned, context.Resources[index].Name);
            Observe(finding, index, resource, state);
        }
    }

    /// <summary>Lends a value to other code, which works with it and may keep it.</summary>
    internal void Lend(Value value, IParameterSymbol borrower, FlowState state)
    {
        ulong bit = context.Borrowers.BitOf(borrower.OriginalDefinition);
        state.Change(
            value.Resources,
            resource => resource with
            {
                Borrowers = resource.Borrowers | bit,
                IsEscaped = resource.IsEscaped || bit == 0,
                IsHandedOver = true,
                IsOrphaned = false,
            });
    }

    /// <summary>Returns a value to a pool or heap.</summary>
    internal void Return(IInvocationOperation call, IArgumentOperation argument, Value value, FlowState state)
    {
        CheckElementType(call, argument);
        switch (value.Kind)
        {
            case ValueKind.Whole:
                Return(call, argument.Value, value.Resource, state);
                break;
            case ValueKind.Fresh:
                Finding finding = new(FindingKind.NotRented, call.Syntax, null, argument.Value.Syntax.ToString());
                context.Evidence.Observe(finding, isBad: true);
                break;
            default:
                // The path does not show which buffer it is, so it may be any of them.
                state.Escape(new Value(ValueKind.Part, ulong.MaxValue));
                context.Evidence.ObserveValidReturn(call.Syntax);
                break;
        }
    }

    /// <summary>
    /// Disposes an owner, or ends a message. Disposing it twice is allowed, except for holders of a shared buffer; using it in between is
    /// not, nor ending it.
    /// </summary>
    internal void DisposeOwner(IInvocationOperation call, Value value, FlowState state)
    {
        if (value.Kind != ValueKind.Whole)
        {
            return;
        }

        int index = value.Resource;
        ResourceState resource = state.GetResource(index);
        if (resource.IsReturned
            && (resource.IsTaken || call.TargetMethod.Name is "Commit" or "Pass"
                || TarnOwners.EndsOnce(KnownSymbols.WithoutConversions(call.Instance)?.Type)))
        {
            ResourceInfo info = context.Resources[index];
            ReturnAgain(
                new(FindingKind.DoubleReturn, call.Syntax, context.Origins.SiteOf(resource.Origin), info.Name), index, resource, state);
        }
        else if (resource is { IsReturned: false, Status: not ResourceStatus.Misused })
        {
            context.Evidence.ObserveValidReturn(call.Syntax);
            context.Exits.ReturnedBy(call.Syntax, context.Resources[index]);
            CheckPending(call, index, state);
            MarkReturned(call, index, resource, state);
            EndMessages(call, index, state);
        }
    }

    /// <summary>Returns a resource through an own method that returns its argument, to whatever pool.</summary>
    internal void ReturnThrough(IInvocationOperation call, IOperation returned, int index, FlowState state)
    {
        ResourceState resource = state.GetResource(index);
        bool isOwner = context.Resources[index].Kind is not (BufferKind.Array or BufferKind.Block);
        if (!isOwner)
        {
            Return(call, returned, index, state);
        }
        else if (resource is { IsReturned: false, Status: not ResourceStatus.Misused })
        {
            // Disposing an owner twice is allowed.
            context.Exits.ReturnedBy(call.Syntax, context.Resources[index]);
            CheckPending(call, index, state);
            MarkReturned(call, index, resource, state);
        }
    }

    private void Return(IInvocationOperation call, IOperation returned, int index, FlowState state)
    {
        ResourceState resource = state.GetResource(index);
        ResourceInfo info = context.Resources[index];
        if (resource.IsReturned || resource.Status == ResourceStatus.Misused)
        {
            Finding finding = new(FindingKind.DoubleReturn, call.Syntax, context.Origins.SiteOf(resource.Origin), info.Name);
            ReturnAgain(finding, index, resource, state);
            return;
        }

        context.Evidence.ObserveValidReturn(call.Syntax);
        context.Exits.ReturnedBy(call.Syntax, info);
        stores.RecordReturn(returned, index);
        CheckPending(call, index, state);
        contents.CheckReturned(call, returned, index, state);
        if (resource.IsInDoubt && call.Syntax.FirstAncestorOrSelf<FinallyClauseSyntax>() is not null)
        {
            context.Evidence.Report(new Finding(FindingKind.ReturnedInFinally, call.Syntax, info.Site, info.Name));
        }

        if (resource.Status == ResourceStatus.Rented
            && info.Rent is { Pool: { } rented }
            && context.Known.IdentityOf(call.Instance) is { } pool
            && !rented.Equals(pool))
        {
            context.Evidence.Observe(new Finding(FindingKind.WrongPool, call.Syntax, info.Site, info.Name), isBad: true);
        }

        MarkReturned(call, index, resource, state);
    }

    private void ReturnAgain(Finding finding, int index, ResourceState resource, FlowState state)
    {
        if (resource.IsReturned)
        {
            Observe(finding, index, resource, state);
        }
        else
        {
            context.Origins.Report(resource.Origin, finding);
            state.Forget(index);
        }
    }

    /// <summary>Gives a buffer to a call that owns it from then on: to return, dispose or use it here is misuse.</summary>
    internal void Give(IArgumentOperation argument, Value value, FlowState state)
    {
        if (value.Kind == ValueKind.Whole
            && argument.Parent is { } call
            && state.GetResource(value.Resource) is { IsReturned: false, Status: not ResourceStatus.Misused } resource)
        {
            int origin = context.Origins.AtReturn(value.Resource, call.Syntax);
            context.Exits.ReturnedBy(call.Syntax, context.Resources[value.Resource]);
            state.SetResource(
                value.Resource,
                resource with { Status = ResourceStatus.Returned, Origin = origin, HasLooped = false, IsTaken = true });
        }
        else
        {
            state.Transfer(value);
        }
    }

    private void MarkReturned(IInvocationOperation call, int index, ResourceState resource, FlowState state)
    {
        int origin = context.Origins.AtReturn(index, call.Syntax);
        state.SetResource(index, resource with { Status = ResourceStatus.Returned, Origin = origin, HasLooped = false, IsTaken = false });
    }

    /// <summary>Checks the element type: a pool hands out arrays of exactly its own type, not of a derived one.</summary>
    private void CheckElementType(IInvocationOperation call, IArgumentOperation argument)
    {
        if (argument.Value is IConversionOperation { Operand.Type: IArrayTypeSymbol array, Type: IArrayTypeSymbol expected }
            && !SymbolEqualityComparer.Default.Equals(array.ElementType, expected.ElementType))
        {
            Finding finding = new(FindingKind.WrongPool, call.Syntax, null, argument.Value.Syntax.ToString());
            context.Evidence.Observe(finding, isBad: true);
        }
    }

    /// <summary>Checks whether work that was not awaited uses the returned buffer.</summary>
    private void CheckPending(IInvocationOperation call, int index, FlowState state)
    {
        // The result of the method is checked where the method ends, and reported at the return statement.
        bool isResult = state.Result.Kind == ValueKind.Work && state.Result.Has(index);
        if (!isResult && !state.IsThrown)
        {
            ResourceInfo info = context.Resources[index];
            Finding finding = new(FindingKind.ReturnedWhileInUse, call.Syntax, info.Site, info.Name);
            context.Evidence.Observe(finding, state.IsPending(index));
        }
    }

    /// <summary>Records that a path reaches a use or a return. After misuse, the path no longer follows the resource.</summary>
    private void Observe(Finding finding, int index, ResourceState resource, FlowState state)
    {
        context.Evidence.Observe(finding, resource.IsReturned, context.Resources[index]);
        if (!resource.IsReturned)
        {
            return;
        }

        context.Origins.Report(resource.Origin, finding);
        bool mayBeReturnedAgain = finding.Kind == FindingKind.UseAfterReturn
            && (resource.HasLooped || context.Origins.IsRestart(resource.Origin));
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
