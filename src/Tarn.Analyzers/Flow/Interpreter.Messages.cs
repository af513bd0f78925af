using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>Visits calls of what has memory that a later call ends: rings and writers.</content>
internal sealed partial class Interpreter
{
    /// <summary>Begins or ends a message in a ring; what lies in a ring that is not followed is not followed either.</summary>
    private Value CallOnRing(IInvocationOperation operation, RingCall call, FlowState state)
    {
        Value ring = Visit(operation.Instance!, state);
        _transitions.Use(operation.Instance!, ring, state);
        PassArguments(operation.Arguments, state);
        if (!call.Begins)
        {
            if (call.IsMark)
            {
                // Which mark a rewind gets is not followed: it ends what was begun after the last one.
                state.Change(ulong.MaxValue, message => message.Ring == ring.Resource + 1 ? message with { Ring = 0 } : message);
            }
            else if (ring.Kind == ValueKind.Whole)
            {
                _transitions.EndMessages(operation, ring.Resource, call.Side, state);
            }

            return Value.Unknown;
        }

        MayThrow(operation, state);
        int message = ring.Kind == ValueKind.Whole ? _context.Resources.IndexOf(operation, call) : -1;
        if (message < 0)
        {
            return Value.Unknown;
        }

        Value memory = _transitions.BeginMessage(message, ring.Resource, state);
        if (call.Message?.Value is not { } target)
        {
            return memory;
        }

        _access.Assign(target is IDeclarationExpressionOperation declared ? declared.Expression : target, memory, state);
        return Value.Unknown;
    }

    /// <summary>
    /// Calls a writer, which may grow: its earlier memory is over, and what it returns is memory until the next such call.
    /// </summary>
    private Value CallOnWriter(IInvocationOperation operation, RingCall call, FlowState state)
    {
        Value writer = Visit(operation.Instance!, state);
        Value result = Call(operation, writer, state);
        if (writer.Kind != ValueKind.Whole)
        {
            return result;
        }

        _transitions.EndMessages(operation, writer.Resource, RingSide.None, state);
        return call.Begins && _context.Resources.IndexOf(operation, call) is >= 0 and int memory
            ? _transitions.BeginMessage(memory, writer.Resource, state)
            : result;
    }
}
