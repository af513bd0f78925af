// space-wizards/RobustToolbox 672819d5: the solver returned two of the four arrays that it rented. Overrides of an internal method and a
// parallel loop work with the others. The fix returns them.
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading.Tasks;

internal abstract class Constraint
{
    internal abstract bool Solve(float[] places, float[] angles);
}

internal sealed class Distance(int first, int second) : Constraint
{
    internal override bool Solve(float[] places, float[] angles)
    {
        ref float place = ref places[first];
        place -= places[second] * angles[first];
        return place < 1;
    }
}

internal sealed class Hinge(int body) : Constraint
{
    internal override bool Solve(float[] places, float[] angles)
    {
        angles[body] /= 2;
        return angles[body] < 1;
    }
}

internal sealed class Solver(ParallelOptions? options)
{
    internal void Solve(IReadOnlyList<Constraint> constraints, float[] solved, int bodies)
    {
        float[] places = ArrayPool<float>.Shared.Rent(bodies); // expect TARN011
        float[] angles = ArrayPool<float>.Shared.Rent(bodies); // expect TARN011
        float[] speeds = ArrayPool<float>.Shared.Rent(bodies);
        for (int i = 0; i < bodies; i++)
        {
            speeds[i] = solved[i];
            places[i] = speeds[i];
            angles[i] = 0;
        }

        foreach (Constraint constraint in constraints)
        {
            constraint.Solve(places, angles);
        }

        if (options is not null)
        {
            Parallel.For(0, bodies, options, i => Finish(i, i + 1, places, angles, solved));
        }
        else
        {
            Finish(0, bodies, places, angles, solved);
        }

        ArrayPool<float>.Shared.Return(speeds);
    }

    private static void Finish(int start, int end, float[] places, float[] angles, float[] solved)
    {
        for (int i = start; i < end; i++)
        {
            solved[i] = places[i] + MathF.Sin(angles[i]);
        }
    }
}
