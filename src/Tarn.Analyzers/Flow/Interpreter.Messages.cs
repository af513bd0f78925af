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
            if (ring.Kind == ValueKind.Whole)
            {
                _transitions.EndMessages(operation, ring.Resource, state);
            }

            return Value.Unknown;
        }

        MayThrow(operation, state);
        int message = ring.Kind == ValueKind.Whole ? _context.Resources.IndexOf(operation) : -1;
        if (message < 0)
        {
            return Value.Unknown;
        }

        return _transitions.BeginMessage(message, ring.Resource, state);
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

        _transitions.EndMessages(operation, writer.Resource, state);
        return call.Begins && _context.Resources.IndexOf(operation) is >= 0 and int memory
            ? _transitions.BeginMessage(memory, writer.Resource, state)
            : result;
    }
}
