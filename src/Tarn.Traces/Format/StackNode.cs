namespace Tarn.Traces;

/// <summary>A stack: a frame, and the stack of its caller.</summary>
/// <param name="Caller">The caller's node, an earlier one; 0 at the outermost frame.</param>
/// <param name="Frame">The index of the frame in <see cref="StackTable.Frames"/>.</param>
public readonly record struct StackNode(int Caller, int Frame);
