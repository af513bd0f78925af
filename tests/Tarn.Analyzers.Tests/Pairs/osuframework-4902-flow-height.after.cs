// ppy/osu-framework#4902: the height of a container was taken from the last place of the pooled array, counted from its end,
// which is behind the last child. The fix counts the children.
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Numerics;

internal sealed class FlowContainer
{
    public float MaximumWidth { get; set; }

    public IEnumerable<Vector2> ComputeLayoutPositions(Drawable[] children)
    {
        if (children.Length == 0)
        {
            yield break;
        }

        var positions = ArrayPool<Vector2>.Shared.Rent(children.Length);
        int[] rowIndices = ArrayPool<int>.Shared.Rent(children.Length);
        var rowOffsets = new List<float> { 0 };
        var current = Vector2.Zero;
        float rowHeight = 0;

        try
        {
            for (int i = 0; i < children.Length; ++i)
            {
                Vector2 size = children[i].Size;
                if (current.X + size.X > MaximumWidth)
                {
                    current = new Vector2(0, current.Y + rowHeight);
                    rowHeight = 0;
                    rowOffsets.Add(0);
                }

                positions[i] = current;
                rowIndices[i] = rowOffsets.Count - 1;
                rowHeight = Math.Max(rowHeight, size.Y);
                current.X += size.X;
            }

            float height = positions[children.Length - 1].Y;

            for (int i = 0; i < children.Length; i++)
            {
                Vector2 position = positions[i];
                position.X += rowOffsets[rowIndices[i]];
                position.Y -= height / 2;
                yield return position;
            }
        }
        finally
        {
            ArrayPool<Vector2>.Shared.Return(positions);
            ArrayPool<int>.Shared.Return(rowIndices);
        }
    }
}

internal sealed record Drawable(Vector2 Size);
